import type { CodeTable } from './entry.js';

/** Problems of a live cluster: API unreachable, a condition not met in time, post-install manifests not applied. */
export const clusterCodes = {
  'cluster/kubeconfig': {
    severity: 'error',
    fault:
      'the current context of the kubeconfig has no https server or no valid user, or runs programs or names files that are not trusted',
    why: 'The command reads the address of the API and its credentials from the kubeconfig. A kubeconfig prepared by another user could run programs or send your files to a server.',
    fix: 'Use the `auth/kubeconfig` that `sno-install create` wrote, or name another file with `--kubeconfig`. `--trust-kubeconfig` allows programs, files, a proxy and `insecure-skip-tls-verify`.',
  },
  'cluster/wrong-authority': {
    severity: 'error',
    fault: 'the certificate of the API was not signed by an authority in the kubeconfig',
    why: 'Another server answers, usually another cluster with other certificates. Waiting does not help.',
    fix: 'Use the kubeconfig of this cluster. Check that the name of the API resolves to the node that was installed.',
  },
  'cluster/wrong-name': {
    severity: 'error',
    fault: 'the certificate of the API does not contain the name in the URL',
    why: 'A certificate for another name does not identify the server. Waiting does not help.',
    fix: 'Use the API name in `auth/kubeconfig`, or set `tls-server-name` in a copy of it.',
  },
  'cluster/certificate-expired': {
    severity: 'error',
    fault: 'the certificate of the API has expired',
    why: 'The clock of this machine is wrong, or the node was installed with certificates that had already expired.',
    fix: 'Compare `date -u` here and on the node. If both are right and the installation never completed, run `sno-install create … --renew` and install the node again.',
  },
  'cluster/clock': {
    severity: 'error',
    fault: 'the certificate of the API was not valid yet when the wait timed out',
    why: 'The clock of this machine is behind that of the node, or was behind when the certificate was issued.',
    fix: 'Compare `date -u` here and on the node, and set the wrong clock.',
  },
  'cluster/credentials-expired': {
    severity: 'error',
    fault: 'the client certificate of the kubeconfig has expired',
    why: 'The API rejects it.',
    fix: 'Use a kubeconfig with a valid certificate: `sno-install create` issues one, and the node has its own.',
  },
  'cluster/unauthorized': {
    severity: 'error',
    fault: 'the API does not accept the user of the kubeconfig',
    why: 'The API rejects every request. This can happen shortly after its start, so the command retries for a while first.',
    fix: 'Use the `auth/kubeconfig` of the directory that the node was installed from.',
  },
  'cluster/forbidden': {
    severity: 'error',
    fault: 'the user of the kubeconfig has no permission to read the status of the cluster',
    why: 'The user is authenticated but not authorized. This can happen shortly after its start, so the command retries for a while first.',
    fix: 'Use the kubeconfig of the administrator, `auth/kubeconfig`.',
  },
  'cluster/unknown-host': {
    severity: 'error',
    fault: 'the name of the API does not resolve',
    why: 'This machine cannot reach the cluster; the node may be installed nevertheless.',
    fix: 'Add a DNS record with the address of the node, or a line to `/etc/hosts` of this machine.',
  },
  'cluster/no-answer': {
    severity: 'error',
    fault: 'the API did not answer before the timeout',
    why: 'The node is still working or has stopped at a stage, or a firewall blocks the connection.',
    fix: 'Look at the console of the node: it shows the fault above the login prompt. `docs/boot-flow.md` lists every wait.',
  },
  'cluster/bootstrap-incomplete': {
    severity: 'error',
    fault: 'the status in the ConfigMap `kube-system/bootstrap` was not `complete` before the timeout',
    why: 'The node creates this ConfigMap after its reboot from the disk, as soon as its own API answers.',
    fix: 'Look at the console of the node and at `journalctl --unit=bootkube` there, then wait again: the node continues.',
  },
  'cluster/install-incomplete': {
    severity: 'error',
    fault:
      'the ClusterVersion, an operator, a machine config pool or a node was not ready before the timeout',
    why: 'It is still working or is blocked. The message names the first one and lists operators that report a fault.',
    fix: 'Check the object in the message. The cause is most often DNS of `*.apps` or a registry. Then wait again.',
  },
  'cluster/node-not-ready': {
    severity: 'error',
    fault: 'a registered node was not Ready before the timeout',
    why: 'No workload starts on this node.',
    fix: 'Look at the condition in the message, and at `journalctl --unit=kubelet` on the node.',
  },
  'cluster/post-install-failed': {
    severity: 'error',
    fault: 'an object of `post-install/` could not be applied on the node',
    why: 'The API rejected the object, or its kind was not served in time. Later waves are not applied.',
    fix: 'Read the answer of the API in the message and fix the manifest or the operator. Then run `sno-install apply`, which applies all objects and reports the set as complete.',
    example: '$ sno-install apply --dir site1\n$ sno-install wait-for post-install-complete --dir site1',
  },
  'cluster/post-install-incomplete': {
    severity: 'error',
    fault: 'the post-install manifests were not applied before the timeout',
    why: 'The node still waits for a kind or an operator, or its service has not started.',
    fix: 'Check the operator in the message, and `journalctl --unit=sno-post-install` on the node. Then wait again, or apply the manifests with `sno-install apply`.',
  },
  'cluster/no-cluster-version': {
    severity: 'error',
    fault: 'the cluster has no ClusterVersion',
    why: 'A control plane from `create aio-ignition` has no version operator, so the installation would never be reported as complete.',
    fix: 'Run `sno-install wait-for node-ready` instead.',
  },
  'cluster/operator': {
    severity: 'warning',
    fault: 'a cluster operator is not Available, or is Degraded',
    why: 'The function of this operator does not work, or works only partly.',
    fix: 'Read the message of the operator; `oc describe clusteroperator NAME` shows details.',
  },
  'cluster/router-authority': {
    severity: 'warning',
    fault: 'the CA certificates of the router could not be added to `auth/kubeconfig`',
    why: 'With this kubeconfig, `oc login` rejects the certificate of the OAuth route as signed by an unknown authority.',
    fix: 'Make `auth/kubeconfig` writable. If it is encrypted, set `state.recipients` in sno-config.yaml. Then run the command again; it returns immediately if the cluster is complete.',
  },
  'apply/not-served': {
    severity: 'error',
    fault:
      'the kind of an object was not served in time, its CRD was not Established, or the ClusterServiceVersion of its operator was not Succeeded',
    why: 'The API rejects objects of unknown kinds. Later waves are not applied.',
    fix: 'Check the Subscription of the operator, its InstallPlan and its pods. Then run `sno-install apply` again, with a longer `--timeout` if the operator is slow.',
    example:
      '$ oc get subscriptions,installplans,clusterserviceversions --all-namespaces\n$ sno-install apply --dir site1 --timeout 2h',
  },
  'apply/conflict': {
    severity: 'error',
    fault: 'another field manager owns fields of an object',
    why: 'The fields were changed in the cluster. `apply` does not overwrite them, and later waves are not applied.',
    fix: 'Look at the change with `sno-install apply --diff`. Then remove the fields from the manifest, set them to the value in the cluster, or take them over with kubectl.',
    example:
      '$ sno-install apply --dir site1 --diff\n$ kubectl apply --server-side --force-conflicts --field-manager sno-install -f site1/post-install/10-ptp.yaml',
  },
  'apply/rejected': {
    severity: 'error',
    fault: 'the API rejected an object for ten minutes',
    why: 'The object is not valid, its namespace is missing, or an admission webhook rejects it or does not answer. Later waves are not applied.',
    fix: 'Read the answer of the API in the message. Fix the manifest, add its namespace, or check the pods of the webhook. Then run `sno-install apply` again.',
    example: '$ sno-install apply --dir site1 --dry-run server',
  },
  'apply/fixed': {
    severity: 'error',
    fault: 'a manifest changes a field that cannot change on a running node',
    why: 'The networks, the domain, the name and the addresses of the node, FIPS and the layout of its disk are set by the installation. The cluster refuses the change or breaks after it, so `apply` does not send the object.',
    fix: 'Set the field to the value of the cluster, or reinstall the site.',
  },
  'apply/not-deleted': {
    severity: 'error',
    fault: 'an object that must not exist could not be deleted',
    why: 'The API refuses the deletion, or does not know the kind that `post-install/remove.yaml` names.',
    fix: 'Read the answer of the API in the message. Correct the entry in `post-install/remove.yaml`, or delete the object with `oc delete`. Then run the command again.',
  },
  'apply/not-openshift': {
    severity: 'error',
    fault: 'the API serves no kinds of OpenShift',
    why: 'The cluster is an all-in-one control plane or another Kubernetes, or its installation has just started. Nothing was applied.',
    fix: 'During an installation, run `sno-install wait-for install-complete` first. For another cluster, apply a wave of post-install/ with `--wave`.',
  },
  'apply/left-out': {
    severity: 'warning',
    fault: 'an edited or added manifest is not applied to a running cluster',
    why: 'Only the installation uses the object, or the cluster changes it itself.',
    fix: 'Change the object in the cluster with `oc`, or reinstall the site.',
  },
  'apply/placeholder': {
    severity: 'warning',
    fault:
      'the pull secret is not applied, because it contains a generated password and the state file cannot be read',
    why: 'A node with a payload pulls from its own registry, with a password in the state file. Without it, `apply` would write a wrong password.',
    fix: 'Run the command in the directory with the state file, with `--identity` if it is encrypted.',
  },
  'apply/reboot': {
    severity: 'warning',
    fault: 'a created or changed object reboots or drains the node',
    why: 'The machine config operator writes the change to the node and reboots it. A single node is unavailable in this time.',
    fix: 'Look at the changes with `sno-install apply --diff`, and apply them in a maintenance window.',
  },
  'apply/leftover': {
    severity: 'warning',
    fault: 'an earlier run applied an object that no manifest contains any more',
    why: 'The object stays in the cluster.',
    fix: 'Add `--prune` to delete it; `--dry-run server --prune` lists the deletions. To keep it, annotate it with `client.lifecycle.config.k8s.io/deletion: detach`.',
  },
  'apply/inventory': {
    severity: 'warning',
    fault: 'the ConfigMap `kube-system/sno-install-inventory` could not be read or written',
    why: 'It lists the objects that runs of `apply` created or changed. Without it, `--prune` does not find objects that the manifests no longer have.',
    fix: 'Run `sno-install apply` with the kubeconfig of the administrator, `auth/kubeconfig`.',
  },
  'apply/status': {
    severity: 'warning',
    fault: 'the ConfigMap `kube-system/sno-post-install` could not be written',
    why: 'All objects are applied, but `wait-for post-install-complete` does not know it, and the service of the node applies its own files again.',
    fix: 'Run `sno-install apply` with the kubeconfig of the administrator, `auth/kubeconfig`.',
  },
} as const satisfies CodeTable;
