import { describe, expect, test } from 'vitest';

import { readConfigFile } from '../../src/config/reading/config-file.js';
import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../src/config/reading/sno-config.js';
import type { Inputs } from '../../src/graph/context.js';
import { testContext } from '../support/context.js';
import { soundInstallConfig } from './sound-config.js';

const file = 'install-config.yaml';

function inputsWith(contents: string | Uint8Array): Inputs {
  return testContext({ files: { [file]: contents } }).inputs;
}

/** Each problem as `<code> <line>:<col>: <message>`. */
function problemsIn(contents: string | Uint8Array): readonly string[] {
  return readInstallConfig(inputsWith(contents)).problems.map(
    ({ code, at, message }) => `${code} ${String(at?.line)}:${String(at?.col)}: ${message}`,
  );
}

describe('rule 1: the file', () => {
  test('is missing', () => {
    expect(readInstallConfig(testContext().inputs).problems).toEqual([
      {
        code: 'config/file-missing',
        severity: 'error',
        message: 'install-config.yaml does not exist',
        at: { file },
        hint: 'run "sno-install create install-config", or name its directory with --dir',
      },
    ]);
  });

  test('sno-config.yaml may be absent', () => {
    expect(readSnoConfig(testContext().inputs, undefined).problems).toEqual([]);
  });

  test('a folder or an unreadable file of this name', () => {
    const reason = 'it is a folder, not a file';
    const inputs: Inputs = { ...testContext().inputs, read: () => ({ kind: 'unreadable', reason }) };
    const message = `sno-config.yaml cannot be read: ${reason}`;
    expect(readConfigFile(inputs, 'sno-config.yaml')).toEqual({
      kind: 'unusable',
      problems: [
        {
          code: 'config/file-unreadable',
          severity: 'error',
          message,
          at: { file: 'sno-config.yaml' },
          hint: 'replace it with a file that you can read',
        },
      ],
    });
  });
});

describe('rules 2 to 4: reports one clear problem of an invalid file', () => {
  const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
  const big = 'a: b\n'.repeat(210_000);
  const bomb = [
    'a0: &a0 [x,x,x,x,x,x,x,x,x]',
    ...Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]`),
  ].join('\n');

  test.each([
    {
      name: 'rule 2: over 1 MiB',
      given: big,
      want: [
        'config/file-too-large undefined:undefined: install-config.yaml has 1050000 bytes, more than the allowed 1048576',
      ],
    },
    {
      name: 'rule 2: 10 MB',
      given: new Uint8Array(10_000_000),
      want: [
        'config/file-too-large undefined:undefined: install-config.yaml has 10000000 bytes, more than the allowed 1048576',
      ],
    },
    {
      name: 'rule 2: too many tokens',
      given: '- a\n'.repeat(100_000),
      want: ['config/yaml-size 10000:4: the YAML has more than 50000 parts'],
    },
    {
      name: 'rule 2: too deep',
      given: '['.repeat(100) + ']'.repeat(100),
      want: ['config/yaml-size 1:66: the YAML is nested too deeply'],
    },
    {
      name: 'rule 3: NUL bytes',
      given: `apiVersion: v1\nmeta\0data: x\n`,
      want: ['config/encoding 2:5: install-config.yaml has a NUL byte in it'],
    },
    {
      name: 'rule 3: a control character',
      given: 'a: \u0007\n',
      want: ['config/encoding 1:4: install-config.yaml has the control character U+0007 in it'],
    },
    {
      name: 'rule 3: a carriage return alone',
      given: 'a: b\rc: d\n',
      want: ['config/encoding 1:5: install-config.yaml contains a carriage return without a line feed'],
    },
    {
      name: 'rule 3: UTF-16',
      given: utf16(soundInstallConfig),
      want: ['config/encoding undefined:undefined: install-config.yaml is UTF-16, not UTF-8'],
    },
    {
      name: 'rule 3: UTF-16 with a mark',
      given: utf16(`\ufeff${soundInstallConfig}`),
      want: ['config/encoding undefined:undefined: install-config.yaml is UTF-16, not UTF-8'],
    },
    {
      name: 'rule 3: Latin-1',
      given: new Uint8Array(Buffer.from('a: b\nname: M\u00fcller\n', 'latin1')),
      want: ['config/encoding 2:1: install-config.yaml is not UTF-8'],
    },
    {
      name: 'rule 4: nothing',
      given: '',
      want: ['config/not-one-document undefined:undefined: install-config.yaml is empty'],
    },
    {
      name: 'rule 4: comments',
      given: '# nothing\n',
      want: ['config/not-one-document undefined:undefined: install-config.yaml is empty'],
    },
    {
      name: 'rule 4: an empty document',
      given: '---\n',
      want: ['config/not-one-document undefined:undefined: install-config.yaml is empty'],
    },
    {
      name: 'rule 4: a list',
      given: '- a\n',
      want: ['config/not-one-document 1:1: install-config.yaml is not a map of fields'],
    },
    {
      name: 'rule 4: a text',
      given: 'hello\n',
      want: ['config/not-one-document 1:1: install-config.yaml is not a map of fields'],
    },
    {
      name: 'rule 4: two documents',
      given: `${soundInstallConfig}---\na: b\n`,
      want: ['config/not-one-document 28:1: a second YAML document starts here'],
    },
    {
      name: 'rule 4: a tab',
      given: 'metadata:\n\tname: sno\n',
      want: ['config/yaml-syntax 2:1: tabs are not allowed as indentation'],
    },
    {
      name: 'rule 4: a tab, whose consequences are not reported',
      given: soundInstallConfig.replace('  - cidr: 192', '\t- cidr: 192'),
      want: ['config/yaml-syntax 14:1: tabs are not allowed as indentation'],
    },
    {
      name: 'rule 4: a merge conflict',
      given: soundInstallConfig.replace(
        'baseDomain: example.com',
        '<<<<<<< HEAD\nbaseDomain: a.com\n=======\nbaseDomain: b.com\n>>>>>>> other',
      ),
      want: ['config/yaml-syntax 2:1: this file contains an unresolved merge conflict'],
    },
    ...[
      ['a stray word', 'oops\nbaseDomain: example.com'],
      ['no blank after a colon', 'baseDomain:example.com', 'a space is missing after ":"'],
      ['no colon', 'baseDomain example.com'],
      ['an equals sign', 'baseDomain = example.com'],
    ].map(([name = '', line = '', message = 'this line is no key with a value']) => ({
      name: `rule 4: ${name}`,
      given: soundInstallConfig.replace('baseDomain: example.com', line),
      want: [`config/yaml-syntax 2:1: ${message}`],
    })),
    {
      name: 'rule 4: an open bracket',
      given: soundInstallConfig.replace('baseDomain: example.com', 'baseDomain: [example.com'),
      want: ['config/yaml-syntax 2:1: a bracket of this line is not closed'],
    },
    {
      name: 'rule 4: an open quote',
      given: soundInstallConfig.replace('="}}}\'', '="}}}'),
      want: ['config/yaml-syntax 25:13: this quote is never closed'],
    },
    {
      name: 'rule 4: a foreign tag',
      given: 'a: !!binary aGVsbG8=\n',
      want: [
        'config/yaml-syntax 1:13: tags other than those of strings, numbers, lists and maps are not supported',
      ],
    },
  ])('$name', ({ given, want }) => {
    expect(problemsIn(given)).toEqual(want);
  });

  test('rule 2: a YAML bomb', () => {
    const messages = new Set(
      readInstallConfig(inputsWith(bomb)).problems.map(({ code, message }) => `${code}: ${message}`),
    );
    expect([...messages]).toEqual(['config/yaml-size: the aliases of this YAML expand to too many values']);
  });
});

describe('accepts unusual but valid files', () => {
  test.each([
    { name: 'rule 3: Windows line breaks', given: soundInstallConfig.replaceAll('\n', '\r\n') },
    { name: 'rule 3: a byte order mark', given: `\ufeff${soundInstallConfig}` },
    { name: 'rule 4: a document start and end', given: `---\n${soundInstallConfig}...\n` },
    {
      name: 'rule 4: anchors and aliases',
      given: soundInstallConfig
        .replace('name: sno', 'name: &n sno')
        .replace('fips: false', 'fips: false\nkind: *n'),
    },
    {
      name: 'rule 4: merge keys',
      given: soundInstallConfig.replace('  replicas: 1', '  replicas: 1\n  <<: {architecture: arm64}'),
    },
    {
      name: 'rule 4: JSON',
      given:
        '{"apiVersion":"v1","baseDomain":"example.com","metadata":{"name":"sno","creationTimestamp":null},"platform":{"none":{}},"pullSecret":"{\\"auths\\":{\\"quay.io\\":{\\"auth\\":\\"dTpw\\"}}}"}',
    },
    {
      name: 'rule 7: null for what is not given',
      given: `${soundInstallConfig}proxy: null\ncapabilities: ~\nimageDigestSources:\n`,
    },
    { name: 'rule 7: texts without quotes', given: soundInstallConfig.replace('name: sno', 'name: 0042') },
  ])('$name', ({ given }) => {
    expect(problemsIn(given)).toEqual([]);
  });
});
