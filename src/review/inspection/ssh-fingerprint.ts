import { createHash } from 'node:crypto';

import { parseSshKey } from '../../formats/keys/ssh-key.js';

/** Formats a line of authorized_keys like `ssh-keygen -l`: `ssh-ed25519 SHA256:…`. Returns a fixed text for an invalid line. */
export function sshFingerprint(line: unknown): string {
  const read = typeof line === 'string' ? parseSshKey(line) : undefined;
  if (typeof line !== 'string' || read?.ok !== true) return 'a line that is not a public key';
  const fields = line.split(/[ \t]+/);
  const wire = Buffer.from(fields[fields.indexOf(read.key.type) + 1] ?? '', 'base64');
  const digest = createHash('sha256').update(wire).digest('base64').replace(/=+$/, '');
  return `${read.key.type} SHA256:${digest}`;
}
