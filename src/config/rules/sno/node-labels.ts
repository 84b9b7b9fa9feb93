import { quoted, quotedName } from '../../../core/quoted.js';
import { isLabelValue, isQualifiedName, labelDomain } from '../../../kube/label-syntax.js';
import type { ReleaseVersion } from '../../../release/release-version.js';
import { releases } from '../../../release/releases.js';
import type { SnoConfig } from '../../schema/sno-config-schema.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

export const nodeLabelRules: readonly SnoRule[] = [
  {
    number: 160,
    fields: ['nodeLabels'],
    text: 'A node label is a qualified name with a value of at most 63 characters. The kubelet can set it, and it is not one that the kubelet or the machine config operator sets.',
    origin: 'sno-install',
    check: nodeLabels,
  },
];

const code = 'config/node-label';

function nodeLabels({ config }: SnoSubject): readonly Finding[] {
  return Object.entries(config.nodeLabels).flatMap(([key, value]): readonly Finding[] => {
    const path = ['nodeLabels', key];
    const fault = nodeLabelFault(key);
    if (fault !== undefined) return [{ code, path, target: 'key', ...fault }];
    if (isLabelValue(value)) return [];
    const message = `${quoted(value)} is not a value for a label, expected at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends`;
    return [{ code, path, message, hint: 'annotate the node when it is up: `oc annotate node`' }];
  });
}

const afterwards = 'set it when the node is up: `oc label node`';

/** Why the kubelet cannot set a label when the node joins, and the alternative; undefined if it can. */
export function nodeLabelFault(key: string): Pick<Finding, 'message' | 'hint'> | undefined {
  if (!isQualifiedName(key))
    return {
      message: `${quotedName(key)} is not a key for a label, expected letters, digits, "-", "_" and ".", with a letter or digit at both ends and at most 63 characters`,
      hint: 'a prefix of a domain and "/" is allowed',
    };
  const owner = ownerOf(key);
  if (owner !== undefined) return { message: `${owner} sets the label ${key}`, hint: 'remove it' };
  if (!isOfKubernetes(key) || kubeletCanSet(key)) return undefined;
  return { message: `a kubelet must not set the label ${key} of its own node`, hint: afterwards };
}

/** Sources: kubernetes pkg/kubelet/kubelet_node_status.go initialNode; the unit of the kubelet in machine-config-operator */
const owners: Readonly<Record<string, readonly string[]>> = {
  'the kubelet': [
    'kubernetes.io/hostname',
    ...['kubernetes.io', 'beta.kubernetes.io'].flatMap((domain) => [`${domain}/os`, `${domain}/arch`]),
  ],
  'the machine config operator': [
    'node-role.kubernetes.io/control-plane',
    'node-role.kubernetes.io/master',
    'node.openshift.io/os_id',
  ],
};

function ownerOf(key: string): string | undefined {
  return Object.keys(owners).find((owner) => owners[owner]?.includes(key));
}

/** Source: kubernetes cmd/kubelet/app/options and plugin/pkg/admission/noderestriction, isKubernetesLabel */
function isOfKubernetes(key: string): boolean {
  return isBelow(labelDomain(key), ['kubernetes.io', 'k8s.io']);
}

function isBelow(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

/**
 * Labels of Kubernetes that a kubelet can set. The last two are an addition of OpenShift, and only at registration.
 * Sources: k8s.io/kubelet pkg/apis well_known_labels.go; openshift/kubernetes well_known_openshift_labels.go
 */
const settable: readonly string[] = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'node-role.kubernetes.io/worker',
  'node-role.kubernetes.io/etcd',
];

function kubeletCanSet(key: string): boolean {
  return settable.includes(key) || isBelow(labelDomain(key), ['kubelet.kubernetes.io', 'node.kubernetes.io']);
}

/** Reports labels for a release whose kubelet of the control plane gets none. */
export function nodeLabelReleaseFindings(
  { nodeLabels: labels }: Pick<SnoConfig, 'nodeLabels'>,
  version: ReleaseVersion | undefined,
): readonly Finding[] {
  if (Object.keys(labels).length === 0 || version === undefined || releases.like(version).hasKubeletLabels)
    return [];
  const first = releases.firstWith(({ hasKubeletLabels }) => hasKubeletLabels).version.text;
  const message = `nodeLabels needs release ${first} or later: the kubelet of release ${version.text} sets no labels of yours`;
  const hint = 'remove them, and set them when the node is up: `oc label node`';
  return [{ code, path: ['nodeLabels'], target: 'key', message, hint }];
}
