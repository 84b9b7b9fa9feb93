import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Problem } from '../../src/core/problem.js';
import type { ShowProgress } from '../../src/fleet/table/site-progress.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

/** A progress that is not shown. */
export const noProgress: ShowProgress = () => ({ onSite: () => undefined, done: () => undefined });

export function fleetText(more = ''): string {
  return `apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n${more}`;
}

/** Two sites that differ in name and address. */
export const fleetFiles: Readonly<Record<string, string>> = {
  'fleet.yaml': fleetText(),
  'sites.csv': 'name,ip\nnorth-1,192.168.126.10\nnorth-2,192.168.126.11\n',
  'base/install-config.yaml': minimalInstallConfig.replace('name: site1', 'name: ${name}'),
  'base/sno-config.yaml': snoConfigText('hostname: ${name}\nnodeIP: ${ip}\n'),
};

/** A folder with that fleet; `changes` adds or replaces files. */
export function fleetFolder(changes: Readonly<Record<string, string>> = {}): string {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries({ ...fleetFiles, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A problem on one line: place, code, message, and the line of the base that uses the value. */
export function problemLine({ at, code, message, from }: Problem): string {
  const place =
    at === undefined ? [] : [[at.file, at.line, at.col].filter((part) => part !== undefined).join(':')];
  const source = from === undefined ? [] : [`<- ${from.file}:${from.line ?? 0} ${from.path ?? ''}`];
  return [...place, `${code}:`, message, ...source].join(' ');
}
