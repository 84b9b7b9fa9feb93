import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { installRules } from '../../src/config/rules/install/install-rules.js';
import { testContext } from '../support/context.js';
import { ruleCases } from './install-rule-cases.js';
import { shown } from './shown.js';
import { edited, soundInstallConfig } from './sound-config.js';

describe('install-config.yaml breaks', () => {
  test.each(ruleCases)('rule $rule: $name', ({ edits, want }) => {
    const text = edited(soundInstallConfig, edits);
    const { problems } = readInstallConfig(testContext({ files: { 'install-config.yaml': text } }).inputs);
    expect(problems.map((problem) => shown(problem, text))).toEqual(want);
  });

  test('every rule that has a check has a case', () => {
    const numbers = installRules.filter(({ check }) => check).map(({ number }) => number);
    const tested = new Set(ruleCases.map(({ rule }) => rule));
    expect(numbers.filter((number) => !tested.has(number))).toEqual([]);
  });

  test('no rule speaks of the sound config', () => {
    expect(
      readInstallConfig(testContext({ files: { 'install-config.yaml': soundInstallConfig } }).inputs)
        .problems,
    ).toEqual([]);
  });
});
