import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { isYamlName } from '../../formats/yaml/yaml-name.js';
import { pathText } from '../../formats/yaml/yaml-tree.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Inputs } from '../../graph/context.js';
import { clusterField, type Found, type Instance } from '../../fleet/cluster-instances/instances.js';
import { dataOf, type DataEntry } from '../../fleet/cluster-instances/resource-data.js';
import { textAt, type Resource } from '../../fleet/cluster-instances/resources.js';
import type { Origin, Traced } from '../../fleet/traced.js';
import type { FoundPullSecret } from '../configs-of-site.js';
import type { ImportedFile } from '../imported-site.js';
import { tracedText } from '../tracing.js';

/** What a cluster refers to by name. */
export interface ReferredFiles {
  readonly pullSecret?: FoundPullSecret;
  readonly trustBundle?: Traced;
  readonly manifests: readonly ImportedFile[];
  readonly problems: readonly Problem[];
}

interface Beside {
  readonly resources: readonly Resource[];
  readonly inputs: Inputs;
}

/** Problems: import/no-pull-secret. Warnings: import/missing. */
export function referredFiles(instance: Instance, beside: Beside): ReferredFiles {
  const look = (kind: 'ConfigMap' | 'Secret', name: string): readonly DataEntry[] | undefined =>
    dataOf(beside.resources, beside.inputs, { kind, name, namespace: instance.resource.namespace });
  const manifests = extraManifests(instance, look);
  const folder = manifestFolders(instance, beside.inputs);
  const secret = pullSecret(instance, look);
  const bundle = trustBundle(instance, look);
  return {
    ...(secret.found && { pullSecret: secret.found }),
    ...(bundle.found && { trustBundle: bundle.found }),
    manifests: [...manifests.files, ...folder.files],
    problems: [...secret.problems, ...bundle.problems, ...manifests.problems, ...folder.problems],
  };
}

type Look = (kind: 'ConfigMap' | 'Secret', name: string) => readonly DataEntry[] | undefined;

function pullSecret(
  instance: Instance,
  look: Look,
): { readonly found?: FoundPullSecret; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['pullSecretRef']);
  const data = look('Secret', textAt(reference?.node, ['name']) ?? '');
  const entry = data?.find(({ key }) => key === '.dockerconfigjson');
  if (entry !== undefined) return { found: { text: entry.text, origin: { at: entry.at } }, problems: [] };
  const at = reference ? placeOf(instance, reference) : { file: instance.resource.file };
  const message = 'the pull secret is not among the files';
  const hint = 'name it with --pull-secret-file, as FILE or as env:NAME, or put the Secret beside them';
  return { problems: [problem('import/no-pull-secret', message, { at, hint })] };
}

function trustBundle(
  instance: Instance,
  look: Look,
): { readonly found?: Traced; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['caBundleRef']);
  if (reference === undefined) return { problems: [] };
  const data = look('ConfigMap', textAt(reference.node, ['name']) ?? '');
  const entry = data?.find(({ text }) => text.includes('-----BEGIN CERTIFICATE-----'));
  if (entry !== undefined) return { found: tracedText(entry.text, { at: entry.at }), problems: [] };
  const at = placeOf(instance, reference);
  const hint = 'put it beside them, or the certificates into additionalTrustBundle of what is made';
  return {
    problems: [
      problem('import/missing', 'this ConfigMap with certificates is not among the files', { at, hint }),
    ],
  };
}

interface ManifestFiles {
  readonly files: readonly ImportedFile[];
  readonly problems: readonly Problem[];
}

function extraManifests(instance: Instance, look: Look): ManifestFiles {
  const references =
    clusterField(instance, ['extraManifestsRefs']) ?? clusterField(instance, ['manifestsConfigMapRefs']);
  const items = references?.node.kind === 'list' ? references.node.items : [];
  const taken = new Set<string>();
  const found = items.map((item, index): ManifestFiles => {
    const name = textAt(item, ['name']) ?? '';
    const data = look('ConfigMap', name);
    if (data === undefined) {
      const at = { file: instance.resource.file, ...item.span };
      const path = pathText([...(references?.path ?? []), index]);
      const hint = 'put it beside them and import again, or its manifests into manifests/ of what is made';
      const message = 'this ConfigMap of manifests is not among the files, so they are not taken over';
      return { files: [], problems: [problem('import/missing', message, { at: { ...at, path }, hint })] };
    }
    return { files: data.map((entry) => manifestFile(entry, name, taken)), problems: [] };
  });
  return {
    files: found.flatMap(({ files }) => files),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** A key is the name of its file, unless another ConfigMap has one of that name. */
function manifestFile(entry: DataEntry, map: string, taken: Set<string>): ImportedFile {
  const own = isYamlName(entry.key) ? entry.key : `${entry.key}.yaml`;
  const name = taken.has(own) ? `${map}-${own}` : own;
  taken.add(name);
  return { path: `manifests/${name}`, text: entry.text, origins: originsOf(entry) };
}

function originsOf({ at, lines }: DataEntry): readonly Origin[] | Origin {
  return lines === undefined ? { at } : lines.map((span) => ({ at: { ...at, ...span } }));
}

/** A SiteConfig names folders beside it. */
function manifestFolders(instance: Instance, inputs: Inputs): ManifestFiles {
  const own = clusterField(instance, ['extraManifestPath']);
  const paths = clusterField(instance, ['extraManifests', 'searchPaths']);
  const listed = paths?.node.kind === 'list' ? paths.node.items : [];
  const named: readonly Found[] = [
    ...(own ? [own] : []),
    ...listed.map((node, index) => ({ node, path: [...(paths?.path ?? []), index] })),
  ];
  const found = named.map((each) => manifestFolder(instance, each, inputs));
  return {
    files: found.flatMap(({ files }) => files),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function manifestFolder(instance: Instance, found: Found, inputs: Inputs): ManifestFiles {
  const named = found.node.kind === 'scalar' ? found.node.text : '..';
  const folder = posix.join(posix.dirname(instance.resource.file), named);
  const names = folder.startsWith('..') ? undefined : inputs.list(folder);
  if (names === undefined) {
    const hint = 'put it beside the file and import again, or its manifests into manifests/ of what is made';
    const message = 'this folder of manifests is not there, so they are not taken over';
    return {
      files: [],
      problems: [problem('import/missing', message, { at: placeOf(instance, found), hint })],
    };
  }
  const files = names.filter(isYamlName).flatMap((name): readonly ImportedFile[] => {
    const file = posix.join(folder, name);
    const read = inputs.read(file);
    const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
    return text === undefined ? [] : [{ path: `manifests/${name}`, text, origins: { at: { file } } }];
  });
  return { files, problems: [] };
}

function placeOf({ resource: { file } }: Instance, { node, path }: Found): Place {
  return { file, path: pathText(path), ...node.span };
}
