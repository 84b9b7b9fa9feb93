import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import type { MadeRelease } from './made-release.js';

export interface PayloadPlace {
  /** Working directory, with the site's directory `site1`. */
  readonly cwd: string;
  /** Runs `create payload site1` with these arguments. */
  readonly create: (...args: readonly string[]) => Promise<CommandOutput>;
}

/** A site that installs the release and needs its catalog. */
export function payloadPlace(
  { image, specs }: MadeRelease,
  { install = minimalInstallConfig, version = '4.22', extra = '' } = {},
): PayloadPlace {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'site1'));
  writeFileSync(join(cwd, 'site1/install-config.yaml'), install);
  writeFileSync(
    join(cwd, 'site1/sno-config.yaml'),
    snoConfigText(`releaseImage: ${image}\nreleaseVersion: '${version}'\n`),
  );
  writeFileSync(
    join(cwd, 'site1/payload.yaml'),
    `apiVersion: sno-install/v1alpha1\nkind: PayloadConfig\nadditionalImages:\n  - name: ${specs['catalog'] ?? ''}\n${extra}`,
  );
  return {
    cwd,
    create: (...args) =>
      snoInProcess(['create', 'payload', 'site1', '--log-level', 'warn', ...args], { cwd }),
  };
}
