import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { toolPath } from '../control-plane/support/tools.js';
import type { StartedStore } from './started-store.js';

/** A fleet whose settings allow a store. */
export interface StoredFleet {
  readonly dir: string;
  /** The file with the identity that decrypts its states. */
  readonly identity: string;
}

/** A fleet with this many sites and additional files. */
export function storedFleet(sites: number, files: Readonly<Record<string, string>> = {}): StoredFleet {
  const rows = Array.from({ length: sites }, (_, index) => `site-${index},192.168.126.${index + 10}\n`);
  const dir = fleetFolder({
    'fleet.yaml': fleetText(`recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`),
    'sites.csv': `name,ip\n${rows.join('')}`,
    'base/sno-config.yaml': snoConfigText(
      'hostname: ${name}\nnodeIP: ${ip}\ncertificates: { keyAlgorithm: ECDSA-P256 }\n',
    ),
    ...files,
  });
  const identity = join(dir, 'identity.txt');
  writeFileSync(identity, `${ageKeys.ours.identity}\n`);
  return { dir, identity };
}

/** Names of the sites in the bucket. */
export function stored({ bucket }: StartedStore): readonly string[] {
  const folder = join(bucket, 'spring/sites');
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => name.replace(/\.tar$/, ''))
        .toSorted()
    : [];
}

/** Metadata that identifies the cluster of a site. */
export function clusterOf(dir: string, site: string): string {
  return readFileSync(join(dir, 'out', site, 'metadata.json'), 'utf8');
}

/**
 * Makes the collected sites again in `local`, a folder with the same fleet files, from their states only. Compares the decrypted
 * outputs byte for byte.
 */
export async function expectLocalRunToMakeTheSame(
  { dir, identity }: StoredFleet,
  local: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const names = readdirSync(join(dir, 'out')).filter((name) => name.startsWith('site-'));
  for (const name of names) {
    mkdirSync(join(local, 'out', name), { recursive: true });
    const state = join('out', name, '.sno-install-state.json');
    cpSync(join(dir, state), join(local, state));
  }
  const made = sno(['fleet', 'create', '--dir', local, '--identity', identity], { variables });
  expect(made).toMatchObject({ code: 0 });
  const age = await toolPath('age', 'age');
  for (const name of names) {
    const files = readdirSync(join(local, 'out', name), { recursive: true, encoding: 'utf8' });
    const sealed = files.filter((path) => path.endsWith('.age')).toSorted();
    expect(sealed).toHaveLength(4);
    for (const path of sealed) {
      const [ours, theirs] = [local, dir].map((each) => opened(age, identity, join(each, 'out', name, path)));
      expect(ours?.equals(theirs ?? Buffer.alloc(0)), `${name}/${path}`).toBe(true);
    }
    expect(clusterOf(local, name)).toBe(clusterOf(dir, name));
  }
}

function opened(age: string, identity: string, file: string): Buffer {
  const { status, stdout } = spawnSync(age, ['--decrypt', '--identity', identity, file], {
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(status, file).toBe(0);
  return stdout;
}
