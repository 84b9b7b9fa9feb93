import type { CodeTable } from './entry.js';

/** Problems while waiting for a live cluster: API unreachable, or a condition not met in time. */
export const clusterCodes = {
  'cluster/kubeconfig': {
    severity: 'error',
    rule: 'the kubeconfig names a cluster over https and a user with a certificate and its key, in its current context',
    why: 'It says where the API is and who asks.',
    fix: 'Use the `auth/kubeconfig` that `sno-install create` wrote, or name another with `--kubeconfig`.',
  },
  'cluster/wrong-authority': {
    severity: 'error',
    rule: 'the certificate of the API is signed by an authority of the kubeconfig',
    why: 'Somebody else answers: most often another cluster, whose certificates are others. Waiting does not change that.',
    fix: 'Use the kubeconfig of this cluster. Look where the name of the API points to: to the node that was installed?',
  },
  'cluster/wrong-name': {
    severity: 'error',
    rule: 'the certificate of the API holds the name it is reached by',
    why: 'A certificate for another name proves nothing, and it stays as it is.',
    fix: 'Reach the API by the name in `auth/kubeconfig`, or set `tls-server-name` in a copy of it.',
  },
  'cluster/certificate-expired': {
    severity: 'error',
    rule: 'the certificate of the API has not ended',
    why: 'The clock here is wrong, or the node was installed from a config whose certificates had ended.',
    fix: 'Compare `date -u` here and on the node. When both are right, run `sno-install create` again and install anew.',
  },
  'cluster/clock': {
    severity: 'error',
    rule: 'the certificate of the API has begun to be valid before the wait ends',
    why: 'The clock here is behind that of the node, or was when the certificate was made.',
    fix: 'Compare `date -u` here and on the node, and set the one that is wrong.',
  },
  'cluster/credentials-expired': {
    severity: 'error',
    rule: "the kubeconfig's client certificate has not ended",
    why: 'The API refuses who shows it.',
    fix: 'Get a kubeconfig whose certificate is valid: `sno-install create` issues one, and the node has one of its own.',
  },
  'cluster/unauthorized': {
    severity: 'error',
    rule: 'the API knows the user of the kubeconfig',
    why: 'It refuses every question. Right after its start that may pass, so it is asked again for a while.',
    fix: 'Use the `auth/kubeconfig` of the same directory that the node was installed from.',
  },
  'cluster/forbidden': {
    severity: 'error',
    rule: 'the user of the kubeconfig may read what is waited for',
    why: 'The API knows the user and refuses the question. Right after its start that may pass, so it is asked again for a while.',
    fix: "Use the administrator's kubeconfig, `auth/kubeconfig`.",
  },
  'cluster/unknown-host': {
    severity: 'error',
    rule: 'DNS knows the name of the API',
    why: 'Nothing here can reach the cluster; the node itself may well be installed.',
    fix: 'Have DNS answer the name with the address of the node, or add it to `/etc/hosts` of this machine.',
  },
  'cluster/no-answer': {
    severity: 'error',
    rule: 'the API answers before the wait ends',
    why: 'The node is still at work, or stopped at a stage, or a firewall is in between.',
    fix: 'Look at the console of the node: above the login prompt it says what is wrong. `docs/boot-flow.md` lists every wait.',
  },
  'cluster/bootstrap-incomplete': {
    severity: 'error',
    rule: 'the ConfigMap `kube-system/bootstrap` says `complete` before the wait ends',
    why: 'The node creates it after its reboot from the disk, as the first thing once its own API answers.',
    fix: 'Look at the console of the node and at `journalctl --unit=bootkube` on it, then wait again: the node goes on.',
  },
  'cluster/install-incomplete': {
    severity: 'error',
    rule: 'the ClusterVersion, every operator, every machine config pool and every node are at rest before the wait ends',
    why: 'Something is still at work, or cannot do it: the first of them is named, and operators that are not well are listed.',
    fix: 'Look at what is named, most often for DNS of `*.apps` or a registry; then wait again.',
  },
  'cluster/node-not-ready': {
    severity: 'error',
    rule: 'every registered node is Ready before the wait ends',
    why: 'No workload starts on a node that is not.',
    fix: 'Look at the condition in the message, and at `journalctl --unit=kubelet` on the node.',
  },
  'cluster/no-cluster-version': {
    severity: 'error',
    rule: 'the cluster has a ClusterVersion, as OpenShift with operators does',
    why: 'A control plane from `create aio-ignition` has no version operator: there is nothing that would ever complete.',
    fix: 'Wait with `sno-install wait-for node-ready`.',
  },
  'cluster/operator': {
    severity: 'warning',
    rule: 'each operator is Available and not Degraded',
    why: 'What it brings to the cluster does not work, or not fully.',
    fix: 'Read its message; `oc describe clusteroperator NAME` says more.',
  },
  'cluster/router-authority': {
    severity: 'warning',
    rule: "the directory's own kubeconfig can be given the certificates that sign what the router serves",
    why: 'Without them `oc login`, the console and every route are of an unknown authority to who uses this kubeconfig.',
    fix: 'Give write permission on `auth/kubeconfig`, or of an encrypted one say by `state.recipients` in sno-config.yaml to whom it is encrypted, and wait again: a finished wait ends at once.',
  },
} as const satisfies CodeTable;
