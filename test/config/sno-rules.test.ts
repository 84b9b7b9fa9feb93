import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../src/config/reading/sno-config.js';
import { snoRules } from '../../src/config/rules/sno/sno-rules.js';
import { testContext } from '../support/context.js';
import { shown } from './shown.js';
import { snoRuleCases, soundHints } from './sno-rule-cases.js';
import { edited, soundInstallConfig, soundSnoConfig } from './sound-config.js';

function problemsIn(text: string, installConfig = soundInstallConfig): readonly string[] {
  const { inputs } = testContext({
    files: { 'install-config.yaml': installConfig, 'sno-config.yaml': text },
  });
  const install = readInstallConfig(inputs).draft;
  return readSnoConfig(inputs, install).problems.map((problem) => shown(problem, text));
}

describe('sno-config.yaml breaks', () => {
  test.each(snoRuleCases)('rule $rule: $name', ({ edits, installEdits = [], want }) => {
    const installConfig = edited(soundInstallConfig, installEdits);
    expect(problemsIn(edited(soundSnoConfig, edits), installConfig)).toEqual(want);
  });

  test('every rule that has a check has a case', () => {
    const tested = new Set(snoRuleCases.map(({ rule }) => rule));
    expect(snoRules.filter(({ number, check }) => check && !tested.has(number))).toEqual([]);
  });

  test.each(soundHints)('no rule by %s', (hint) => {
    expect(problemsIn(`${soundSnoConfig}rootDeviceHints: { ${hint} }\n`)).toEqual([]);
  });

  test('no rule speaks of the sound config', () => {
    expect(problemsIn(soundSnoConfig)).toEqual([]);
  });
});
