import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputOf } from '../real/control-plane/support/run-program.js';
import type { Site } from './site.js';

/** A value of Secrets of the user. */
export const canaryValue = 'canary-that-no-log-may-contain';

/** A user Secret with a recognizable value. A log bundle must not contain it. */
export const canaryManifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'canary', namespace: 'default' },
  stringData: { password: canaryValue },
});

/** Every secret text of this site that a log bundle must not contain, keyed by a description. */
function canariesOf(site: Site): Readonly<Record<string, string>> {
  const password = readFileSync(join(site.folder, 'auth/kubeadmin-password'), 'utf8').trim();
  return {
    'a Secret of the user': canaryValue,
    'a Secret of the user, in base64': Buffer.from(canaryValue).toString('base64'),
    'the credentials of the registry': 'dGhyb3dhd2F5OnRocm93YXdheQ==',
    'the password of kubeadmin': password,
    'a private key': 'PRIVATE KEY-----',
    'a private key, in base64': Buffer.from('-----BEGIN EC PRIVATE KEY-----').toString('base64').slice(0, 36),
  };
}

/** Lists the canaries found in a bundle and the files that contain them. Empty if there is no leak. */
export async function canariesIn(bundle: string, site: Site): Promise<readonly string[]> {
  const script = [
    'set -e',
    'folder=$(mktemp --directory)',
    'trap \'rm --recursive --force "${folder}"\' EXIT',
    'tar --extract --gzip --file "${1}" --directory "${folder}"',
    'find "${folder}" -name "*.tar.gz" -execdir tar --extract --gzip --file {} \\;',
    'find "${folder}" -name "*.gz" ! -name "*.tar.gz" -exec gzip --decompress --force {} \\;',
    'cd "${folder}"',
    'grep --recursive --files-with-matches --fixed-strings -- "${2}" . || true',
  ].join('\n');
  const found: string[] = [];
  for (const [what, text] of Object.entries(canariesOf(site))) {
    const files = await outputOf(['bash', '-c', script, 'bash', bundle, text]);
    if (files !== '') found.push(`${what}: ${files.trim().replaceAll('\n', ', ')}`);
  }
  return found;
}

/** The paths in a bundle, relative to its folder. */
export async function namesIn(bundle: string): Promise<readonly string[]> {
  const list = await outputOf(['tar', '--list', '--gzip', '--file', bundle]);
  return list.split('\n').map((path) => path.replace(/^[^/]+\//, ''));
}
