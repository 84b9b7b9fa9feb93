import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateIdentity, identityToRecipient } from 'age-encryption';

import { cli, scratch } from './measuring.mjs';

/** Number of sites named `first-…`; the others are named `site-…`. */
export const firstSites = 20;

/**
 * A fleet with this number of sites: fixtures/fleet with another table. `keyAlgorithm` as in sno-config.yaml; `isEncrypted` encrypts
 * the states to an identity, whose file is returned; `encryptsOutputs` also encrypts the boot files.
 */
export async function fleetOf(sites, { keyAlgorithm, isEncrypted = false, encryptsOutputs = false }) {
  const dir = mkdtempSync(join(scratch, 'fleet-'));
  for (const path of ['base', 'fleet.yaml']) {
    cpSync(join('fixtures/fleet', path), join(dir, path), { recursive: true });
  }
  const rows = Array.from({ length: sites }, (_, index) => row(index));
  writeFileSync(join(dir, 'sites.csv'), ['name,machineNetwork,ip,gateway,mac', ...rows, ''].join('\n'));
  appendFileSync(join(dir, 'base/sno-config.yaml'), `certificates:\n  keyAlgorithm: ${keyAlgorithm}\n`);
  if (!isEncrypted) return { dir, sites };
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const identityFile = join(dir, 'identity.txt');
  writeFileSync(identityFile, `${identity}\n`, { mode: 0o600 });
  appendFileSync(join(dir, 'fleet.yaml'), `recipients: [${recipient}]\n`);
  if (encryptsOutputs) appendFileSync(join(dir, 'fleet.yaml'), 'encryptOutputs: true\n');
  return { dir, sites, identityFile };
}

/** Arguments for Node to run `fleet create`. */
export function create({ dir, identityFile }, ...more) {
  const identity = identityFile === undefined ? [] : ['--identity', identityFile];
  return [cli, 'fleet', 'create', '--dir', dir, ...identity, ...more];
}

/** Resets a fleet to the state before its sites were generated. */
export function emptied(fleet) {
  rmSync(join(fleet.dir, 'out'), { recursive: true, force: true });
  return fleet;
}

/** Total size of all files below a folder. */
export function bytesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Networks, addresses and interfaces differ between sites. */
function row(index) {
  const [upper, lower] = [Math.floor(index / 250), index % 250];
  const net = `10.${upper}.${lower}`;
  const hex = (byte) => byte.toString(16).padStart(2, '0');
  const name = `${index < firstSites ? 'first' : 'site'}-${index}`;
  return `${name},${net}.0/24,${net}.10,${net}.1,52:54:00:00:${hex(upper)}:${hex(lower)}`;
}
