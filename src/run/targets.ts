import type { Target } from './target.js';

/** Every target, in the order of help. Commands, their options and choices follow from this table. */
export const targets = {
  manifests: {
    summary: 'manifests/ and openshift/ to edit before creating the Ignition configs',
    offer: { makes: 'manifests' },
    owns: ['manifests', 'openshift'],
  },
  'single-node-ignition-config': {
    summary: 'bootstrap-in-place-for-live-iso.ign, worker.ign, auth/ and metadata.json',
    offer: { makes: 'ignition' },
    owns: [],
  },
  'aio-ignition': {
    summary: 'aio.ign of an all-in-one control plane, auth/kubeconfig and metadata.json',
    offer: {
      makes: 'ignition',
      fetchesFiles: true,
      details:
        'kubelet, kubectl and CNI plugins are downloaded at the first boot and verified against their hashes. --offline-files\n' +
        'downloads them from a mirror instead; docs/aio.md describes how to create one.',
    },
    owns: [],
  },
  'control-plane': {
    summary: 'the static pods with their files, and the objects of the control loops, to control-plane/',
    offer: { makes: 'tree', machine: 'single-node' },
    owns: ['control-plane'],
  },
  'aio-control-plane': {
    summary: 'the same files for an all-in-one machine',
    offer: { makes: 'tree', machine: 'aio' },
    owns: ['control-plane'],
  },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;

type TargetThatMakes<Made extends Target['offer']['makes']> = {
  [Name in TargetName]: (typeof targets)[Name]['offer']['makes'] extends Made ? Name : never;
}[TargetName];

/** A target of `create`. */
export type CreatedTarget = TargetThatMakes<'manifests' | 'ignition'>;

export type IgnitionTarget = TargetThatMakes<'ignition'>;

/** The config that boots a machine. */
export const bootConfigs: Readonly<Record<IgnitionTarget, string>> = {
  'single-node-ignition-config': 'bootstrap-in-place-for-live-iso.ign',
  'aio-ignition': 'aio.ign',
};

export function isIgnitionTarget(name: string): name is IgnitionTarget {
  return isTargetName(name) && targets[name].offer.makes === 'ignition';
}

export const defaultTarget: TargetName = 'single-node-ignition-config';

export const targetList: readonly (Target & { readonly name: TargetName })[] = Object.keys(targets)
  .filter(isTargetName)
  .map((name) => ({ ...targets[name], name }));

export function isTargetName(name: string): name is TargetName {
  return Object.hasOwn(targets, name);
}

export function isCreated(name: TargetName): name is CreatedTarget {
  return targets[name].offer.makes !== 'tree';
}
