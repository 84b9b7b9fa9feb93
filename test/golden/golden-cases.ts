import { readdirSync } from 'node:fs';

export const goldenConfigs = 'fixtures/configs';

/** The folders of fixtures/configs. */
export const goldenNames = readdirSync(goldenConfigs, { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

/** The cases of each target. All but the base are stored as differences from it. */
export const goldenGroups = [
  {
    target: 'single-node-ignition-config',
    base: 'minimal',
    cases: goldenNames.filter((name) => !name.startsWith('aio-')),
  },
  {
    target: 'aio-ignition',
    base: 'aio-minimal',
    cases: goldenNames.filter((name) => name.startsWith('aio-')),
  },
] as const;
