import { problem, type Place, type Problem } from '../../core/problem.js';
import { isName } from '../../core/quoted.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import { clusterField, nodeField, type Instance } from './instances.js';
import type { Inputs } from '../../graph/context.js';
import { besideFile, isOutside } from './kustomizations.js';
import { otherEntries } from './other-entries.js';
import { itemsAt, textAt, type Resource } from './resources.js';

/**
 * Reports the objects of a source that no site uses: one warning per kind, at its first object. Warnings: import/left-out.
 */
export function unusedResources(
  resources: readonly Resource[],
  instances: readonly Instance[],
  { inputs, path }: { readonly inputs: Inputs; readonly path: string },
): readonly Problem[] {
  const used = new Set(instances.flatMap(referencesOf));
  const [folders, files] = [manifestFolders(instances), new Set(resources.flatMap(filesOfGenerators))];
  const isReferredTo = (file: string): boolean =>
    files.has(file) || folders.some((folder) => file.startsWith(`${folder}/`));
  const objects = resources.filter(
    (each) =>
      each.kind !== 'Kustomization' && !isSite(each) && !isUsed(each, used) && !isReferredTo(each.file),
  );
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  return [
    ...resources.filter(({ kind }) => kind === 'Kustomization').flatMap((each) => unusedFields(each, used)),
    ...kinds.map((kind) =>
      unusedKind(
        kind,
        objects.filter((each) => each.kind === kind),
      ),
    ),
    ...otherEntries(inputs, path, isReferredTo),
  ];
}

/** The ConfigMaps, Secrets and ClusterImageSets of a site, as `kind/name`. */
function referencesOf(instance: Instance): readonly string[] {
  const named = (kind: string, fields: readonly string[]): readonly string[] =>
    fields.flatMap((field) => {
      const node = clusterField(instance, [field])?.node;
      const items = node?.kind === 'list' ? node.items : [node];
      return items.map((item) => `${kind}/${textAt(item, ['name']) ?? ''}`);
    });
  const imageSet = textAt(clusterField(instance, ['clusterImageSetNameRef'])?.node, []);
  const login = textAt(nodeField(instance, ['bmcCredentialsName', 'name'])?.node, []);
  return [
    ...named('ConfigMap', ['extraManifestsRefs', 'manifestsConfigMapRefs', 'caBundleRef']),
    ...named('Secret', ['pullSecretRef', 'sshPrivateKeySecretRef']),
    ...(imageSet === undefined ? [] : [`ClusterImageSet/${imageSet}`]),
    // The login of the BMC is reported at bmcCredentialsName.
    ...(login === undefined ? [] : [`Secret/${login}`]),
  ];
}

/** Folders whose manifests the sites get. */
function manifestFolders(instances: readonly Instance[]): readonly string[] {
  return instances.flatMap((instance) => {
    const own = clusterField(instance, ['extraManifestPath'])?.node;
    const paths = clusterField(instance, ['extraManifests', 'searchPaths'])?.node;
    return [own, ...(paths?.kind === 'list' ? paths.items : [])].flatMap((node) => {
      const path = textAt(node, []);
      return path === undefined ? [] : [besideFile(instance.resource.file, path)];
    });
  });
}

/** Files that are the contents of generated ConfigMaps and Secrets. */
function filesOfGenerators({ kind, root, file }: Resource): readonly string[] {
  if (kind !== 'Kustomization') return [];
  return Object.keys(generatorKinds)
    .flatMap((field) => itemsAt(root(), [field]))
    .flatMap((generator) => itemsAt(generator, ['files']))
    .map((item) => besideFile(file, (item.kind === 'scalar' ? item.text : '').replace(/^[^=]*=/, '')));
}

function isSite({ kind, apiVersion }: Resource): boolean {
  return (
    (kind === 'ClusterInstance' && apiVersion.startsWith('siteconfig.open-cluster-management.io/')) ||
    (kind === 'SiteConfig' && apiVersion.startsWith('ran.openshift.io/'))
  );
}

/** The namespace of a site exists only on the hub. Other ClusterImageSets are those of other releases. */
function isUsed({ kind, name }: Resource, used: ReadonlySet<string>): boolean {
  return ['Namespace', 'ClusterImageSet'].includes(kind) || used.has(`${kind}/${name}`);
}

const policies =
  /^(?:PolicyGenerator|PolicyGenTemplate|Policy|PolicySet|ConfigurationPolicy|OperatorPolicy)$/;
const placements =
  /^(?:Placement|PlacementRule|PlacementBinding|ManagedClusterSet|ManagedClusterSetBinding)$/;
const ofHub =
  /^(?:AgentClusterInstall|ClusterDeployment|InfraEnv|NMStateConfig|BareMetalHost|ManagedCluster|KlusterletAddonConfig)$/;

function hintFor(kind: string): string {
  if (policies.test(kind))
    return 'a hub applies policies after the installation: copy their manifests to post-install/ or manifests/';
  if (placements.test(kind))
    return 'a hub selects clusters with it: in a fleet, use classes and where instead';
  if (ofHub.test(kind))
    return 'a hub makes it from a ClusterInstance or SiteConfig: put settings that only this object has into one';
  return 'if the node needs it, add it as a manifest to the new manifests/ or post-install/';
}

function unusedKind(kind: string, objects: readonly Resource[]): Problem {
  const [first] = objects;
  const at: Place = { file: first?.file ?? '', ...(first && placeOfKind(first)) };
  const name = isName(kind) ? kind : 'this object';
  const several = objects.length > 1 ? ` (${objects.length} objects of this kind)` : '';
  const message = `${name} is not imported${several}`;
  return problem('import/left-out', message, { at, hint: hintFor(kind) });
}

function placeOfKind({ root }: Resource): Omit<Place, 'file'> {
  const node = nodeAt(root(), ['kind']);
  return node === undefined ? {} : { path: 'kind', ...node.span };
}

/**
 * Fields of a kustomization without effect on the import: `resources` are read as files, `generators` is how SiteConfigs and policies are
 * listed. Source: kubernetes-sigs/kustomize api/types/kustomization.go
 */
const readFields = new Set(['apiVersion', 'kind', 'metadata', 'namespace', 'resources', 'generators']);
const generatorKinds: Readonly<Record<string, string>> = {
  configMapGenerator: 'ConfigMap',
  secretGenerator: 'Secret',
};
const harmless = new Set([
  'generatorOptions',
  'sortOptions',
  'buildMetadata',
  'openapi',
  'configurations',
  'crds',
]);

function unusedFields(kustomization: Resource, used: ReadonlySet<string>): readonly Problem[] {
  const { file } = kustomization;
  const root = kustomization.root();
  if (root.kind !== 'map') return [];
  const rendered = 'run `kubectl kustomize` and import its output';
  const fields = root.entries.flatMap(({ key, keySpan, value }) => {
    if (readFields.has(key) || harmless.has(key) || key in generatorKinds || isEmpty(value)) return [];
    const name = isName(key) ? `the field ${key}` : 'a field';
    const message = `${name} of this kustomization is not applied`;
    const path = isName(key) ? { path: key } : {};
    return [problem('import/left-out', message, { at: { file, ...path, ...keySpan }, hint: rendered })];
  });
  const outside = itemsAt(root, ['resources']).flatMap((item, index) =>
    item.kind === 'scalar' && isOutside(file, item.text)
      ? [
          problem('import/left-out', 'this resource is outside of the directory and is not imported', {
            at: { file, path: `resources[${index}]`, ...item.span },
            hint: rendered,
          }),
        ]
      : [],
  );
  return [...fields, ...outside, ...unusedGenerators(kustomization, used)];
}

function unusedGenerators(kustomization: Resource, used: ReadonlySet<string>): readonly Problem[] {
  return Object.entries(generatorKinds).flatMap(([field, kind]) =>
    itemsAt(kustomization.root(), [field]).flatMap((item, index) =>
      used.has(`${kind}/${textAt(item, ['name']) ?? ''}`)
        ? []
        : [
            problem('import/left-out', `no site uses this ${kind}; it is not imported`, {
              at: { file: kustomization.file, path: `${field}[${index}]`, ...item.span },
              hint: 'if the node needs its files, add them to the new manifests/ or post-install/',
            }),
          ],
    ),
  );
}

function isEmpty(node: Parameters<typeof itemsAt>[0]): boolean {
  if (node?.kind === 'list') return node.items.length === 0;
  if (node?.kind === 'map') return node.entries.length === 0;
  return node?.value === null || node?.value === '';
}
