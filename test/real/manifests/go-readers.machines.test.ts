import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { goUrlFault } from '../../../src/formats/go-url.js';
import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { buildTimeoutMs, toolPath } from '../control-plane/support/tools.js';
import { outputTexts, pemBlocksOf, urlsOf, type OutputText } from './output-texts.js';

const hasGo = pathOfProgram('go') !== undefined || existsSync('/usr/local/go/bin/go');

interface Question {
  readonly reader: 'go-yaml' | 'sigs.k8s.io/yaml' | 'net/url' | 'crypto/x509';
  readonly text: string;
}

interface Answer {
  readonly error: string;
  readonly value: unknown;
}

let program = '';
let texts: readonly OutputText[] = [];

/** Runs the Go program once for all texts. */
function ask(questions: readonly Question[]): readonly Answer[] {
  const { stdout, stderr, status } = spawnSync(program, {
    input: JSON.stringify(questions),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as readonly Answer[];
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom(
    '\u0085',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\ufffe',
    '\u007f',
    '\n',
    '\r',
    '\t',
    ' ',
    '#',
    ':',
    '-',
    '"',
  ),
);
const text = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));
const value = fc.dictionary(
  text,
  fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text)),
  {
    maxKeys: 4,
  },
);

describeWith([hasGo ? 'bash' : 'go'], 'what we write is read by Go programs', () => {
  beforeAll(async () => {
    program = await toolPath('go-readers', 'go-readers');
    texts = await outputTexts();
  }, buildTimeoutMs);

  test('parse YAML of any strings to the same strings: go-yaml and sigs.k8s.io/yaml', () => {
    const values = fc.sample(value, { numRuns: 3000, seed: 20260102 });
    const texts = values.map(writeYaml);
    const strict = ask(texts.map((each) => ({ reader: 'sigs.k8s.io/yaml', text: each })));
    const plain = ask(texts.map((each) => ({ reader: 'go-yaml', text: each })));
    for (const [at, given] of values.entries()) {
      expect({ given, answer: strict[at] }).toEqual({ given, answer: { error: '', value: given } });
      expect({ given, answer: plain[at] }).toEqual({ given, answer: { error: '', value: [given] } });
    }
  });

  // Goldens show a summary in place of each certificate.
  test('every YAML file of the goldens but Secrets', () => {
    const paths = filesIn('fixtures/golden').filter((path) => /\.ya?ml$/.test(path) && !/secret/.test(path));
    expect(paths.length).toBeGreaterThan(100);
    const answers = ask(paths.map((path) => ({ reader: 'go-yaml', text: readFileSync(path, 'utf8') })));
    expect(paths.filter((_path, at) => answers[at]?.error !== '')).toEqual([]);
  });

  test('net/url accepts exactly the URLs that are valid here', () => {
    const sound = [
      'https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet',
      'http://user:p%40ss@proxy.example.com:3128',
      'http://[fd00::1]:3128',
      'http://[fe80::1%25eth0]:3128/a',
      'https://example.com/a%20b?x=%41#y',
      'https://example.com:/a',
    ];
    const broken = [
      'https://example.com/kube%zzctl',
      'http://%70',
      'http://%70roxy.example.com',
      'http://example.com%2f:80',
      'https://example.com:a/b',
      'https://example.com:80:80/b',
      'https://exa mple.com/b',
      'https://example.com/%',
      'https://example.com/\u0001',
      'http://[fd00::1',
    ];
    const answers = ask([...sound, ...broken].map((url) => ({ reader: 'net/url', text: url })));
    const isRead = [...sound, ...broken].map((url, at) => [url, answers[at]?.error === '']);
    expect(isRead).toEqual([...sound.map((url) => [url, true]), ...broken.map((url) => [url, false])]);
    expect([...sound, ...broken].map((url) => [url, goUrlFault(url) === undefined])).toEqual(isRead);
  });

  test('URLs of any characters, as net/url judges them', () => {
    const part = fc.string({ unit: fc.constantFrom(...Array.from('ab1%7250zé:@[]/? #.')), maxLength: 8 });
    const urls = fc.sample(
      fc.tuple(part, part).map(([host, path]) => `https://${host}/${path}`),
      { numRuns: 3000, seed: 20260102 },
    );
    const answers = ask(urls.map((url) => ({ reader: 'net/url', text: url })));
    const lost = urls.filter((url, at) => goUrlFault(url) === undefined && answers[at]?.error !== '');
    expect(lost).toEqual([]);
  });

  test('every certificate, request and key of every output, by crypto/x509', () => {
    const blocks = placesOf(texts, pemBlocksOf);
    const answers = ask([...blocks.keys()].map((block) => ({ reader: 'crypto/x509', text: block })));
    const faults = [...blocks.values()].flatMap((place, at) =>
      answers[at]?.error === '' ? [] : [[place, answers[at]?.error]],
    );
    expect(faults).toEqual([]);
    const kinds = answers.flatMap(({ value: kinds }) => kinds as readonly string[]);
    console.log(`${blocks.size} PEM blocks: ${[...new Set(kinds)].join(', ')}`);
    expect(blocks.size).toBeGreaterThan(200);
    expect(new Set(kinds)).toEqual(new Set(['CERTIFICATE', 'PUBLIC KEY', 'PRIVATE KEY']));
  });

  test('every URL of every output, by net/url', () => {
    const urls = placesOf(texts, urlsOf);
    const answers = ask([...urls.keys()].map((url) => ({ reader: 'net/url', text: url })));
    const faults = [...urls].filter(
      ([url], at) => answers[at]?.error !== '' || (answers[at].value === '' && !url.includes(':///')),
    );
    console.log(`${urls.size} URLs`);
    expect(faults).toEqual([]);
    expect(urls.size).toBeGreaterThan(60);
  });
});

/** Every match in the texts, with its first place. */
function placesOf(
  given: readonly OutputText[],
  find: (text: string) => readonly string[],
): ReadonlyMap<string, string> {
  const places = given.flatMap(({ place, text }) => find(text).map((each) => [each, place] as const));
  return new Map(places.toReversed());
}
