import { readFileSync } from 'node:fs';

import { readInstallConfig, type InstallDraft } from '../../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../../src/config/reading/sno-config.js';
import { isError } from '../../../src/core/problem.js';
import { installRuleTexts } from '../../config/rule-texts.js';
import { soundInstallConfig, soundSnoConfig } from '../../config/sound-config.js';
import { testContext } from '../../support/context.js';
import type { Outcome, Target } from '../driver/target.js';
import { fixtureTexts, keptInputs } from './fixture-texts.js';
import { madeOutputs } from './made-outputs.js';
import { canaries, plantedProxy, plantedPullSecret, strayLines } from './planted.js';
import { shownProblems, wrongPlace } from './shown-problems.js';

const planted = soundInstallConfig
  .replace(/^pullSecret: .*$/m, () => `pullSecret: '${plantedPullSecret}'`)
  .replace('fips: false', `proxy: {httpProxy: "${plantedProxy}"}`);

/** install-config.yaml as `validate` and `create` read it. */
export const installConfig: Target = {
  name: 'install-config',
  form: 'yaml',
  seeds: () => [
    planted,
    ...strayLines.map((line) => `${planted}${line}\n`),
    ...fixtureTexts('fixtures/configs', /install-config\.yaml$/),
    ...fixtureTexts('fixtures/invalid', /install-config\.yaml$/),
    ...installRuleTexts,
    ...keptInputs('install-config'),
  ],
  canaries,
  run: (input) => {
    const { problems, draft } = readInstallConfig(contextOf({ 'install-config.yaml': input }));
    const texts = { 'install-config.yaml': input.toString('utf8') };
    const isAccepted = draft !== undefined && !problems.some(isError);
    return {
      isAccepted,
      shown: shownProblems(problems, texts),
      fault: wrongPlace(problems, texts),
      outputs: () => madeOutputs({ 'install-config.yaml': input }),
    };
  },
};

/** sno-config.yaml with a valid install-config.yaml. */
export const snoConfig: Target = {
  name: 'sno-config',
  form: 'yaml',
  seeds: () => [
    soundSnoConfig,
    ...strayLines.map((line) => `${soundSnoConfig}${line}\n`),
    ...fixtureTexts('fixtures/configs', /sno-config\.yaml$/),
    ...fixtureTexts('fixtures/invalid', /sno-config\.yaml$/),
    ...keptInputs('sno-config'),
  ],
  canaries,
  run: (input) => {
    const { problems } = readSnoConfig(contextOf({ 'sno-config.yaml': input }), soundInstall());
    const texts = { 'sno-config.yaml': input.toString('utf8') };
    return {
      isAccepted: !problems.some(isError),
      shown: shownProblems(problems, texts),
      fault: wrongPlace(problems, texts),
      outputs: () => madeOutputs({ ...besideSnoConfig(), 'sno-config.yaml': input }),
    } satisfies Outcome;
  },
};

/** The other files of the directory, including those that a valid sno-config.yaml names. */
function besideSnoConfig(): Readonly<Record<string, string>> {
  const fixture = (path: string): string => readFileSync(`fixtures/configs/${path}`, 'utf8');
  return {
    'install-config.yaml': soundInstallConfig,
    'image-references': fixture('aio-openshift/image-references.json'),
    'extra/extra.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: extra\n',
  };
}

function contextOf(files: Readonly<Record<string, Buffer>>): ReturnType<typeof testContext>['inputs'] {
  return testContext({ files }).inputs;
}

let install: InstallDraft | undefined;

/** The install-config.yaml that the node settings are checked against. */
export function soundInstall(): InstallDraft | undefined {
  const files = { 'install-config.yaml': soundInstallConfig };
  return (install ??= readInstallConfig(testContext({ files }).inputs).draft);
}
