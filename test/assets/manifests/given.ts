import { applyDefaults } from '../../../src/config/install-defaults.js';
import { readObjects, type UserObject } from '../../../src/manifests/edits/documents.js';
import type { InstallConfig } from '../../../src/config/schema/install-config-schema.js';

/** A minimal config with all defaults. */
export const minimalInstall: InstallConfig = applyDefaults({
  metadata: { name: 'edge' },
  baseDomain: 'example.com',
  pullSecret: '{"auths":{}}',
  networking: { machineNetwork: [{ cidr: '192.168.1.0/24' }] },
});

/** The objects of all documents in a file `f.yaml`. */
export function objectsOf(text: string): readonly UserObject[] {
  const read = readObjects('f.yaml', Buffer.from(text));
  if (!read.ok) throw new Error(`not readable: ${read.problems.map(({ message }) => message).join(', ')}`);
  return read.value;
}
