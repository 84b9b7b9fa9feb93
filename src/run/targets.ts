import type { Target } from './target.js';

/** Every target, in the order of help. Commands, their options and choices follow from this table. */
export const targets = {
  manifests: {
    summary: 'manifests/ and openshift/ to edit before the Ignition configs are made',
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
        'kubelet, kubectl and CNI plugins are fetched at the first boot from where their projects publish them, each held\n' +
        'against its hash. --offline-files has them fetched from a mirror instead; docs/aio.md says how to make one.',
    },
    owns: [],
  },
  'control-plane': {
    summary: 'the static pods, their files, every object and which loop made it to control-plane/',
    offer: { makes: 'tree', machine: 'single-node' },
    owns: ['control-plane'],
  },
  'aio-control-plane': {
    summary: 'the same of an all-in-one machine',
    offer: { makes: 'tree', machine: 'aio' },
    owns: ['control-plane'],
  },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;

/** A target of `create`. */
export type CreatedTarget = {
  [Name in TargetName]: (typeof targets)[Name]['offer']['makes'] extends 'tree' ? never : Name;
}[TargetName];

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
