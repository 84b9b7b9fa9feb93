import type { CodeTable } from '../entry.js';

/** Problems of `fleet upgrade`. */
export const upgradeCodes = {
  'upgrade/release': {
    severity: 'error',
    fault: 'the pull spec of `--to` cannot be resolved to a digest',
    why: 'The version operator verifies and pulls a release by its digest.',
    fix: 'Write the pull spec with the digest that `oc adm release info RELEASE` prints.',
    example: '--to quay.io/openshift-release-dev/ocp-release:4.20.8-x86_64@sha256:…',
  },
  'upgrade/not-ready': {
    severity: 'error',
    fault: 'a cluster does not meet the conditions of an upgrade',
    why: 'The version operator would reject the request, or the upgrade would not end. Nothing was changed on this site.',
    fix: 'Fix the cause in the message. `fleet upgrade --preflight` checks all sites again.',
  },
  'upgrade/refused': {
    severity: 'error',
    fault: 'the version operator did not accept the release',
    why: 'Its condition ReleaseAccepted is False, for example without a signature or because of a precondition. The request was withdrawn, so the upgrade cannot begin later.',
    fix: 'Fix the cause in the message, then run the command again with `--retry-failed`.',
  },
  'upgrade/superseded': {
    severity: 'error',
    fault: 'the requested release of a cluster was changed during the upgrade',
    why: '`spec.desiredUpdate` of the ClusterVersion no longer names the release of `--to`.',
    fix: 'Find out who changed it: `oc get clusterversion version --output yaml --show-managed-fields`. Then run the command again.',
  },
  'upgrade/incomplete': {
    severity: 'error',
    fault: 'a cluster did not complete the upgrade before `siteTimeout` of the plan',
    why: 'The upgrade continues, or the component in the message blocks it.',
    fix: 'Check the component. Then run the command again with `--retry-failed`: it only waits, because the release is requested.',
  },
  'upgrade/signature': {
    severity: 'warning',
    fault: 'a cluster has no signature of the release',
    why: 'The version operator accepts only signed releases. A connected cluster downloads the signature; a disconnected one rejects the release.',
    fix: 'In a disconnected cluster, apply the signature ConfigMap that `oc-mirror` or `oc adm release mirror` writes. Or set `spec.signatureStores` of the ClusterVersion.',
  },
} as const satisfies CodeTable;
