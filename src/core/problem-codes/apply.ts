import type { CodeTable } from './entry.js';

/** Problems while applying post-install manifests to a running cluster. */
export const applyCodes = {
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
  'apply/status': {
    severity: 'warning',
    fault: 'the ConfigMap `kube-system/sno-post-install` could not be written',
    why: 'All objects are applied, but `wait-for post-install-complete` does not know it, and the service of the node applies its own files again.',
    fix: 'Run `sno-install apply` with the kubeconfig of the administrator, `auth/kubeconfig`.',
  },
} as const satisfies CodeTable;
