import { byCodeUnit } from '../core/compare.js';
import { dataUrl } from '../formats/data-url.js';
import { holdsPrivateMaterial } from './private-material.js';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit, IgnitionUser, NodeFile } from './types.js';

/** The one spec version we write: every CoreOS since OpenShift 4.7 reads it. Source: coreos/butane docs/specs.md. */
export const specVersion = '3.2.0';

/** What a machine gets from its config, in any order. */
export interface NodeContents {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
  readonly users: readonly IgnitionUser[];
}

/** The config that puts these files, units and users on a machine: files by path, units and users by name. */
export function buildConfig({ files, units, users }: NodeContents): IgnitionConfig {
  return {
    ignition: { version: specVersion },
    passwd: { users: users.toSorted((left, right) => byCodeUnit(left.name, right.name)) },
    storage: { files: files.toSorted((left, right) => byCodeUnit(left.path, right.path)).map(fileEntry) },
    systemd: { units: units.toSorted((left, right) => byCodeUnit(left.name, right.name)).map(unitEntry) },
  };
}

/** Private material is for root alone, whatever mode its file was given: a manifest of the user's may hold a key too. */
function fileEntry({ path, mode, contents, append }: NodeFile): IgnitionFile {
  const bytes = Buffer.from(contents);
  const isPrivate = holdsPrivateMaterial(bytes.toString('latin1'));
  const entry = { path, mode: isPrivate ? mode & 0o700 : mode, user: { name: 'root' } } as const;
  const resource = { source: dataUrl(bytes) };
  return append === true
    ? { ...entry, overwrite: false, append: [resource] }
    : { ...entry, overwrite: true, contents: resource };
}

/** `enabled: false` would disable a unit that the system enables by itself, so only true is written. */
function unitEntry({ name, enabled, mask, contents, dropins }: IgnitionUnit): IgnitionUnit {
  return {
    name,
    ...(enabled === true && { enabled }),
    ...(mask === true && { mask }),
    ...(contents !== undefined && { contents }),
    ...(dropins && { dropins: dropins.toSorted((left, right) => byCodeUnit(left.name, right.name)) }),
  };
}
