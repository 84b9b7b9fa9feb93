import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../src/config/reading/sno-config.js';
import { testContext } from '../support/context.js';
import { placeFault } from '../support/place-fault.js';
import { installRuleTexts } from './rule-texts.js';
import { soundInstallConfig, soundSnoConfig } from './sound-config.js';

/** A few random edits of a text: parts deleted, doubled, or replaced by text that is hard on YAML or on a field. */
function editsOf(text: string): fc.Arbitrary<string> {
  const junk = fc.constantFrom(
    '',
    ':',
    ' ',
    '\n',
    '- ',
    '\t',
    "'",
    '"',
    '{',
    '}',
    '[',
    ']',
    '#',
    '|',
    '&a',
    '*a',
    '<<: ',
    'null',
    '0',
    '-1',
    '::',
    '/',
    'é',
    '\u0000',
    '\r',
    '99999999999999999999',
    '%',
    '!!int ',
    '? ',
    '---\n',
    '@',
  );
  const edit = fc.record({
    at: fc.nat(text.length),
    length: fc.nat(12),
    put: fc.oneof(junk, fc.constant('copy')),
  });
  const change = (
    before: string,
    { at, length, put }: { at: number; length: number; put: string },
  ): string => {
    const stretch = before.slice(at, at + length);
    return before.slice(0, at) + (put === 'copy' ? stretch + stretch : put) + before.slice(at + length);
  };
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => edits.reduce(change, text));
}

describe('whatever is done to a config', () => {
  test('install-config.yaml: does not throw, and every location exists', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(soundInstallConfig, ...installRuleTexts).chain((text) => editsOf(text)),
        (text) => {
          const { problems } = readInstallConfig(
            testContext({ files: { 'install-config.yaml': text } }).inputs,
          );
          expect(
            problems.map((problem) => placeFault(problem, text)).filter((fault) => fault !== undefined),
          ).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('sno-config.yaml: does not throw, and every location exists', () => {
    const install = readInstallConfig(
      testContext({ files: { 'install-config.yaml': soundInstallConfig } }).inputs,
    ).draft;
    fc.assert(
      fc.property(editsOf(soundSnoConfig), (text) => {
        const problems = readSnoConfig(
          testContext({ files: { 'sno-config.yaml': text } }).inputs,
          install,
        ).problems;
        expect(
          problems.map((problem) => placeFault(problem, text)).filter((fault) => fault !== undefined),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('any bytes: does not throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(
          readInstallConfig(testContext({ files: { 'install-config.yaml': bytes } }).inputs).problems.length,
        ).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe('no problem shows a secret', () => {
  const secret = 'c2VjcmV0OmNvZGV3b3Jk';
  const text = soundInstallConfig
    .replace('dGhyb3dhd2F5OnRocm93YXdheQ==', secret)
    .replace('fips: false', 'proxy: {httpProxy: "http://user:codeword@proxy.example.com:3128"}');

  test('after random edits', () => {
    fc.assert(
      fc.property(editsOf(text), (given) => {
        const { problems } = readInstallConfig(
          testContext({ files: { 'install-config.yaml': given } }).inputs,
        );
        const said = JSON.stringify(problems);
        expect(/c2VjcmV0|NvZGV3b3Jk|codeword/.exec(said)?.[0]).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('in printed parts of the model', () => {
    const { draft } = readInstallConfig(testContext({ files: { 'install-config.yaml': text } }).inputs);
    expect(draft).toBeDefined();
    expect(JSON.stringify(draft?.config.pullSecret)).toBe('"[redacted]"');
  });
});
