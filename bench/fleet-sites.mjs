import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateIdentity, identityToRecipient } from 'age-encryption';

import { cli, scratch } from './measuring.mjs';

/** How many sites of a fleet are called `first-…`; the others are `site-…`. */
export const firstSites = 20;

/**
 * A fleet of so many sites: that of fixtures/fleet with another table. `keyAlgorithm` as in sno-config.yaml; with `isEncrypted`,
 * states are for an identity, whose file is named, and with `encryptsOutputs` what boots as well.
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

/** Arguments of Node that make a fleet. */
export function create({ dir, identityFile }, ...more) {
  const identity = identityFile === undefined ? [] : ['--identity', identityFile];
  return [cli, 'fleet', 'create', '--dir', dir, ...identity, ...more];
}

/** The fleet as it was before its sites were made. */
export function emptied(fleet) {
  rmSync(join(fleet.dir, 'out'), { recursive: true, force: true });
  return fleet;
}

/** Bytes of all files below a folder. */
export function bytesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Sites have networks, addresses and cards of their own. */
function row(index) {
  const [upper, lower] = [Math.floor(index / 250), index % 250];
  const net = `10.${upper}.${lower}`;
  const hex = (byte) => byte.toString(16).padStart(2, '0');
  const name = `${index < firstSites ? 'first' : 'site'}-${index}`;
  return `${name},${net}.0/24,${net}.10,${net}.1,52:54:00:00:${hex(upper)}:${hex(lower)}`;
}
