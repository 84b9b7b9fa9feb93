import type { Resolved } from './graph/engine.js';
import type { Asset } from './graph/asset.js';
import type { EmbeddedSize } from './ignition/size.js';

/** What a run tells the user beside the files it wrote. */
export interface Facts {
  /** From when and until when the certificates of the live phase hold; both or neither. */
  readonly bootableFrom?: Date;
  readonly bootableUntil?: Date;
  /** What embedding into the live ISO takes of its area, in bytes after compression. */
  readonly embedded?: EmbeddedSize & { readonly limitBytes: number };
}

export interface Target {
  /** What it makes, as one phrase for help and progress. */
  readonly summary: string;
  /** Folders the target owns: a file it wrote there earlier and no longer makes is removed. */
  readonly owns: readonly string[];
  /** What judges the configs: nothing else is loaded, and nothing drawn, for one that has errors. */
  readonly loadConfigs: () => Promise<readonly Asset<unknown>[]>;
  /** What judges the other inputs and needs no draw: asked when the configs have errors, so that a run reports all there is. */
  readonly loadChecks: () => Promise<readonly Asset<unknown>[]>;
  /** Assets to begin with while the rest is loaded: those that draw keys, which other threads do. */
  readonly loadFirst?: () => Promise<readonly Asset<unknown>[]>;
  /** Loaded when needed, so that a command pays only for its own assets. */
  readonly load: () => Promise<Loaded>;
}

interface Loaded {
  readonly roots: readonly Asset<unknown>[];
  readonly facts: (resolved: Resolved) => Facts;
}

/** Every target: what a command makes, by the assets at the root of its graph. */
export const targets = {
  manifests: {
    summary: 'manifests to edit',
    owns: ['manifests', 'openshift'],
    loadConfigs,
    loadChecks: loadManifestChecks,
    load: async () => {
      const { manifests } = await import('./assets/manifests/all.js');
      return { roots: [manifests], facts: () => ({}) };
    },
  },
  'single-node-ignition-config': {
    summary: 'Ignition configs of a single-node cluster',
    owns: [],
    loadConfigs: async () => (await import('./assets/config/judging.js')).inPlaceConfigs,
    loadChecks: loadInPlaceChecks,
    loadFirst: loadKeys,
    load: loadSingleNode,
  },
  'aio-ignition': {
    summary: 'the Ignition config of an all-in-one control plane',
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
    summary: 'the rendered control plane as a tree to read',
    owns: ['control-plane'],
    loadConfigs,
    loadChecks: loadInPlaceChecks,
    loadFirst: loadKeys,
    load: async () => {
      const { bootstrapInPlaceTree } = await import('./assets/control-plane/control-plane-tree.js');
      return { roots: [bootstrapInPlaceTree], facts: () => ({}) };
    },
  },
  'aio-control-plane': {
    summary: 'the control plane of an all-in-one machine as a tree to read',
    owns: ['control-plane'],
    loadConfigs,
    loadChecks: loadAioChecks,
    load: async () => {
      const { aioControlPlaneTree } = await import('./assets/aio/control-plane-tree.js');
      return { roots: [aioControlPlaneTree], facts: () => ({}) };
    },
  },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;

/** The asset that says which cluster the configs name. */
export async function loadStateCluster() {
  return (await import('./assets/identity/state-cluster.js')).stateCluster;
}

/** Whether there is a target of that name. */
export function isTargetName(name: string): name is TargetName {
  return Object.hasOwn(targets, name);
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
  ] = await Promise.all([
    import('./assets/ignition/single-node-ignition.js'),
    import('./assets/ignition/pointer.js'),
    import('./assets/kubeconfig/kubeconfigs.js'),
    import('./assets/kubeconfig/kubeadmin-password.js'),
    import('./assets/identity/metadata.js'),
    import('./assets/tls/certificates.js'),
  ]);
  return {
    roots: [singleNodeIgnition, workerPointer, adminKubeconfig, kubeadminPassword, metadata],
    facts: (resolved) => {
      const { embedded, limitBytes } = resolved.valueOf(singleNodeIgnition).size;
      return {
        ...windowFacts(resolved.valueOf(bootWindow)),
        embedded: { ...embedded, limitBytes },
      };
    },
  };
}

function windowFacts(window: { readonly notBefore: Date; readonly bootableUntil: Date }): Facts {
  return { bootableFrom: window.notBefore, bootableUntil: window.bootableUntil };
}
