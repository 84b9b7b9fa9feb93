import { byName, byPath } from '../core/compare.js';
import { dataUrl } from '../formats/data-url.js';
import { containsPrivateMaterial } from './private-material.js';
import type {
  IgnitionConfig,
  IgnitionDirectory,
  IgnitionFile,
  IgnitionProxy,
  IgnitionUnit,
  IgnitionUser,
  NodeFile,
  NodeUnit,
  RemoteFile,
} from './types.js';

/** The only spec version that is written; every CoreOS since OpenShift 4.7 supports it. Source: coreos/butane docs/specs.md. */
export const specVersion = '3.2.0';

/** Contents of a machine's config, in any order. */
export interface NodeContents {
  readonly files: readonly NodeFile[];
  readonly units: readonly NodeUnit[];
  readonly users: readonly IgnitionUser[];
  readonly fetched?: readonly RemoteFile[];
  /** Folders with a mode other than 0755. */
  readonly folders?: readonly { readonly path: string; readonly mode: number }[];
  readonly transport?: DownloadSettings;
}

/** Proxy and CAs for Ignition's own downloads. */
export interface DownloadSettings {
  readonly proxy?: IgnitionProxy;
  /** PEM; trusted in addition to the CAs of the initramfs. */
  readonly authoritiesPem?: string;
}

/** Builds the config of a machine: files sorted by path, units and users by name. */
export function buildConfig(contents: NodeContents): IgnitionConfig {
  const { files, units, users, fetched = [], folders = [], transport } = contents;
  const entries = [...files.map(fileEntry), ...fetched.map(remoteEntry)];
  const directories = folders.map(({ path, mode }): IgnitionDirectory => ({
    path,
    mode,
    user: { name: 'root' },
    overwrite: false,
  }));
  return {
    ignition: { version: specVersion, ...(transport && transportEntries(transport)) },
    passwd: { users: users.toSorted(byName) },
    storage: {
      files: entries.toSorted(byPath),
      ...(directories.length > 0 && {
        directories: directories.toSorted(byPath),
      }),
    },
    systemd: { units: units.toSorted(byName).map(unitEntry) },
  };
}

function transportEntries({
  proxy,
  authoritiesPem,
}: DownloadSettings): Omit<IgnitionConfig['ignition'], 'version'> {
  const source = dataUrl(Buffer.from(authoritiesPem ?? ''));
  return {
    ...(proxy && { proxy }),
    ...(authoritiesPem && { security: { tls: { certificateAuthorities: [{ source }] } } }),
  };
}

function remoteEntry({ path, mode, url, hash, compression }: RemoteFile): IgnitionFile {
  return {
    path,
    mode,
    user: { name: 'root' },
    overwrite: true,
    contents: { source: url, ...(compression && { compression }), verification: { hash } },
  };
}

/** Files with private material get mode 0600 regardless of `mode`: a user's manifest may contain a key too. */
function fileEntry({ path, mode, contents, append }: NodeFile): IgnitionFile {
  const bytes = Buffer.from(contents);
  const isPrivate = containsPrivateMaterial(bytes.toString('latin1'));
  const source = dataUrl(bytes);
  const entry = { path, mode: isPrivate ? mode & 0o700 : mode, user: { name: 'root' } } as const;
  return append === true
    ? { ...entry, overwrite: false, append: [{ source }] }
    : { ...entry, overwrite: true, contents: { source } };
}

/** Writes `enabled` only if true: false would disable a unit that the system enables by default. */
function unitEntry({ name, enabled, mask, contents, dropins }: NodeUnit): IgnitionUnit {
  return {
    name,
    ...(enabled === true && { enabled }),
    ...(mask === true && { mask }),
    ...(contents !== undefined && { contents }),
    ...(dropins && { dropins: dropins.toSorted(byName) }),
  };
}
