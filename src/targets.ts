import type { Asset } from './graph/asset.js';
import type { Facts, Loaded, Target } from './target.js';

/** Every target, in the order of help. Commands, their options and choices follow from this table. */
export const targets = {
  manifests: {
    summary: 'manifests/ and openshift/ to edit before the Ignition configs are made',
    offer: { makes: 'manifests' },
    owns: ['manifests', 'openshift'],
    loadConfigs,
    loadChecks: loadManifestChecks,
    load: async () => {
      const { manifests } = await import('./assets/manifests/all.js');
      return loadedAlone(manifests);
    },
  },
  'single-node-ignition-config': {
    summary: 'bootstrap-in-place-for-live-iso.ign, worker.ign, auth/ and metadata.json',
    offer: { makes: 'ignition' },
    owns: [],
    loadConfigs: async () => (await import('./assets/config/judging.js')).inPlaceConfigs,
    loadChecks: loadInPlaceChecks,
    loadFirst: loadKeys,
    load: loadSingleNode,
  },
  'aio-ignition': {
    summary: 'aio.ign of an all-in-one control plane, auth/kubeconfig and metadata.json',
    offer: {
      makes: 'ignition',
      fetchesFiles: true,
      details:
        'kubelet, kubectl and CNI plugins are fetched at the first boot from where their projects publish them, each held\n' +
        'against its hash. --offline-files has them fetched from a mirror instead; docs/aio.md says how to make one.',
    },
    owns: [],
    loadConfigs,
    loadChecks: loadAioChecks,
    loadFirst: async () => {
      const { clientPairs, serviceAccountKeys } = await import('./assets/aio/certificates.js');
      return [clientPairs, serviceAccountKeys];
    },
    load: loadAio,
  },
  'control-plane': {
    summary: 'the static pods, their files, every object and which loop made it to control-plane/',
    offer: { makes: 'tree', machine: 'single-node' },
    owns: ['control-plane'],
    loadConfigs,
    loadChecks: loadInPlaceChecks,
    loadFirst: loadKeys,
    load: async () => {
      const { bootstrapInPlaceTree } = await import('./assets/control-plane/control-plane-tree.js');
      return loadedAlone(bootstrapInPlaceTree);
    },
  },
  'aio-control-plane': {
    summary: 'the same of an all-in-one machine',
    offer: { makes: 'tree', machine: 'aio' },
    owns: ['control-plane'],
    loadConfigs,
    loadChecks: loadAioChecks,
    load: async () => {
      const { aioControlPlaneTree } = await import('./assets/aio/control-plane-tree.js');
      return loadedAlone(aioControlPlaneTree);
    },
  },
} as const satisfies Readonly<Record<string, Target>>;

/** A target, by its name on the command line. */
export type TargetName = keyof typeof targets;

/** A target that `create` makes. */
export type CreatedTarget = {
  [Name in TargetName]: (typeof targets)[Name]['offer']['makes'] extends 'tree' ? never : Name;
}[TargetName];

/** What is meant where a command is told no target. */
export const defaultTarget: TargetName = 'single-node-ignition-config';

/** Every target with its name. */
export const targetList: readonly (Target & { readonly name: TargetName })[] = Object.keys(targets)
  .filter(isTargetName)
  .map((name) => ({ ...targets[name], name }));

/** The asset that says which cluster the configs name. */
export async function loadStateCluster() {
  return (await import('./assets/identity/state-cluster.js')).stateCluster;
}

/** Whether there is a target of that name. */
export function isTargetName(name: string): name is TargetName {
  return Object.hasOwn(targets, name);
}

/** Whether `create` makes this target. */
export function isCreated(name: TargetName): name is CreatedTarget {
  return targets[name].offer.makes !== 'tree';
}

async function loadConfigs(): Promise<readonly Asset<unknown>[]> {
  return (await import('./assets/config/judging.js')).configs;
}

async function loadManifestChecks(): Promise<readonly Asset<unknown>[]> {
  const [{ userManifests }, { neededEdits }] = await Promise.all([
    import('./assets/manifests/user-manifests.js'),
    import('./assets/manifests/needed-edits.js'),
  ]);
  return [userManifests, neededEdits];
}

async function loadInPlaceChecks(): Promise<readonly Asset<unknown>[]> {
  return (await import('./assets/live/in-place-checks.js')).inPlaceChecks;
}

async function loadAioChecks(): Promise<readonly Asset<unknown>[]> {
  const [{ aioRequests }, { aioRelease }] = await Promise.all([
    import('./assets/aio/requests.js'),
    import('./assets/aio/aio-release.js'),
  ]);
  return [aioRelease, aioRequests];
}

async function loadKeys(): Promise<readonly Asset<unknown>[]> {
  const [
    { tlsNodeFiles },
    { bootstrapSshKeyPair },
    { kubeadminPassword },
    { controlPlaneCertificates, boundKeyPair },
  ] = await Promise.all([
    import('./assets/tls/node-files.js'),
    import('./assets/tls/certificates.js'),
    import('./assets/kubeconfig/kubeadmin-password.js'),
    import('./assets/control-plane/certificates.js'),
  ]);
  return [kubeadminPassword, bootstrapSshKeyPair, tlsNodeFiles, boundKeyPair, controlPlaneCertificates];
}

async function loadAio(): Promise<Loaded> {
  const [{ aioIgnition }, { aioKubeconfig, aioMetadata }, { aioBootWindow }] = await Promise.all([
    import('./assets/aio/ignition.js'),
    import('./assets/aio/kubeconfig-and-metadata.js'),
    import('./assets/aio/certificates.js'),
  ]);
  return {
    roots: [aioIgnition, aioKubeconfig, aioMetadata],
    facts: (resolved) => windowFacts(resolved.valueOf(aioBootWindow)),
  };
}

async function loadSingleNode(): Promise<Loaded> {
  const [
    { singleNodeIgnition },
    { workerPointer },
    { adminKubeconfig },
    { kubeadminPassword },
    { metadata },
    { bootWindow },
    { installConfig },
    { release },
  ] = await Promise.all([
    import('./assets/ignition/single-node-ignition.js'),
    import('./assets/ignition/pointer.js'),
    import('./assets/kubeconfig/kubeconfigs.js'),
    import('./assets/kubeconfig/kubeadmin-password.js'),
    import('./assets/identity/metadata.js'),
    import('./assets/tls/certificates.js'),
    import('./assets/config/install-config.js'),
    import('./assets/config/release.js'),
  ]);
  return {
    roots: [singleNodeIgnition, workerPointer, adminKubeconfig, kubeadminPassword, metadata],
    facts: (resolved) => {
      const { embedded, limitBytes } = resolved.valueOf(singleNodeIgnition).size;
      const { version } = resolved.valueOf(release);
      const { architecture } = resolved.valueOf(installConfig).controlPlane;
      return {
        ...windowFacts(resolved.valueOf(bootWindow)),
        embedded: { ...embedded, limitBytes },
        liveImage: { architecture, ...(version && { release: version.text }) },
      };
    },
  };
}

/** Of what has one root there is nothing to say beside it. */
function loadedAlone(root: Asset<unknown>): Loaded {
  return { roots: [root], facts: () => ({}) };
}

function windowFacts(window: { readonly notBefore: Date; readonly bootableUntil: Date }): Facts {
  return { bootableFrom: window.notBefore, bootableUntil: window.bootableUntil };
}
