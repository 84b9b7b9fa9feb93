import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, stringify } from 'yaml';

import { sno } from '../../../support/command.js';
import { throwawayState } from '../../../support/throwaway-state.js';

type Fields = Readonly<Record<string, unknown>>;

/** Changes of a user to the configs of fixtures/configs/minimal, which has no sno-config.yaml. */
export interface SiteConfig {
  readonly install: Fields;
  readonly sno: Fields;
  /** Referenced files, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The output of `create aio-ignition`. */
export interface Site {
  readonly ignition: string;
  readonly kubeconfig: string;
}

/** Runs the built command in a separate folder with its clock at `issuedAt`. */
export async function createSite(folder: string, config: SiteConfig, issuedAt: Date): Promise<Site> {
  const files = {
    ...config.files,
    'install-config.yaml': stringify({ ...minimalInstallConfig(), ...config.install }),
    'sno-config.yaml': stringify({
      apiVersion: 'sno-install/v1alpha1',
      kind: 'SingleNodeConfig',
      ...config.sno,
    }),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, '.sno-install-state.json'), await throwawayState(files, {}, 'aio-ignition'));
  const { code, stderr } = sno(['create', 'aio-ignition', '--dir', folder], {
    variables: { SOURCE_DATE_EPOCH: String(Math.trunc(issuedAt.getTime() / 1000)) },
  });
  if (code !== 0) throw new Error(`create aio-ignition ended with ${code ?? 'a signal'}:\n${stderr}`);
  return {
    ignition: readFileSync(join(folder, 'aio.ign'), 'utf8'),
    kubeconfig: readFileSync(join(folder, 'auth/kubeconfig'), 'utf8'),
  };
}

function minimalInstallConfig(): Fields {
  return parse(readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8')) as Fields;
}
