import { isRecord } from '../../core/is-record.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { textAt } from '../../kube/fields.js';
import { environmentIn } from '../inspection/environment-file.js';
import type { PartContent } from '../node-parts.js';

/** The files of an Ignition config from which a sheet is read. */
export interface ConfigTexts {
  /** The text of a file on the node; empty if the config does not write it. */
  readonly textOf: (path: string) => string;
  /** Variables of sno-install.env; empty for configs of other installers. */
  readonly settings: ReadonlyMap<string, string>;
  /** install-config.yaml without its pull secret; undefined if the config does not embed it. */
  readonly installConfig: unknown;
  readonly manifests: readonly ManifestObject[];
  /** NetworkManager keyfiles: path and text, sorted by path. */
  readonly keyfiles: readonly { readonly path: string; readonly text: string }[];
}

/** An object that the bootstrap applies. */
export interface ManifestObject {
  /** File name on the node. */
  readonly file: string;
  readonly object: Readonly<Record<string, unknown>>;
}

const manifestPath = /^\/opt\/openshift\/(?:manifests|openshift)\/([^/]+\.(?:ya?ml|json))$/;
const keyfilePath = /^\/etc\/NetworkManager\/system-connections\/[^/]+\.nmconnection$/;

/** Paths of the environment file: of the live system and of an all-in-one node. */
const environmentPaths = ['/opt/openshift/sno-install.env', '/etc/sno-install/sno-install.env'];

export function configTexts(parts: readonly PartContent[]): ConfigTexts {
  const textOf = (path: string): string =>
    parts.find((part) => part.path === path && !part.isFetched)?.bytes.toString('utf8') ?? '';
  const manifests = parts.flatMap(manifestsIn);
  const clusterConfig = manifests.find(({ file }) => file === 'cluster-config.yaml');
  return {
    textOf,
    settings: environmentIn(environmentPaths.map(textOf).join('\n')),
    installConfig: objectsIn(textAt(clusterConfig?.object, ['data', 'install-config']) ?? '')[0],
    manifests,
    keyfiles: parts
      .filter(({ path, isFetched }) => keyfilePath.test(path) && !isFetched)
      .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }))
      .toSorted((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

function manifestsIn({ path, bytes, isFetched }: PartContent): readonly ManifestObject[] {
  const [, file] = manifestPath.exec(path) ?? [];
  if (file === undefined || isFetched) return [];
  return objectsIn(bytes.toString('utf8')).map((object) => ({ file, object }));
}

function objectsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  if (text === '') return [];
  return readYaml(text)
    .documents.map((document) => toData(document))
    .filter(isRecord);
}
