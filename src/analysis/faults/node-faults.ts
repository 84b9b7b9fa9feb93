import type { Fault } from './fault.js';

const postReboot = 'bootstrap-in-place-post-reboot.sh';
const postInstall = 'sno-post-install.sh';

/** Faults of the installed node. */
export const nodeFaults: readonly Fault[] = [
  {
    id: 'identity-changed-after-reboot',
    title: 'host name or address changed with the reboot',
    stages: ['node-identity'],
    signs: [
      {
        script: postReboot,
        waitsFor: 'the host name and address that the node had during the bootstrap',
      },
    ],
    cause:
      'The DHCP lease or name differs from the live system, or a static network was set only on the kernel command line of the ISO.',
    fix: 'Restore the old name and address: a DHCP reservation; hostname and nodeIP in sno-config.yaml; a NetworkManager keyfile in the ISO instead of kernel arguments. The node then continues automatically.',
  },
  {
    id: 'certificate-not-valid-now',
    title: 'a certificate is not valid at the time of the clock',
    stages: ['api', 'bootstrap-complete', 'node-ready', 'cluster-available'],
    signs: [
      {
        program: 'kubelet',
        says: /x509: certificate has expired or is not yet valid/,
        source: 'Go crypto/x509 verify.go, CertificateInvalidError',
        unit: 'kubelet',
      },
    ],
    cause:
      'The clock changed with the reboot, or the machine was off until the bootstrap certificates expired.',
    fix: 'Compare control-plane/master/time.txt and set the clock. If the certificates have expired, install again.',
  },
  {
    id: 'api-int-unknown-to-kubelet',
    title: 'the kubelet cannot resolve api-int',
    stages: ['api', 'node-ready'],
    signs: [
      {
        program: 'kubelet',
        says: /lookup api-int\.\S+.*(no such host|server misbehaving|i\/o timeout)/,
        source: 'Go net, DNSError',
        unit: 'kubelet',
      },
    ],
    cause: 'The installed node uses another DNS server than the live system, or the record was removed.',
    fix: 'Make api-int.CLUSTER.DOMAIN point to the node; compare control-plane/master/network/resolv.conf.',
  },
  {
    id: 'api-int-of-another-cluster',
    title: 'another API server answers at api-int',
    stages: ['api', 'node-ready'],
    signs: [
      {
        program: 'kubelet',
        says: /api-int\.\S+.*x509: certificate signed by unknown authority/,
        source: 'Go crypto/x509 verify.go, UnknownAuthorityError',
        unit: 'kubelet',
        isRecent: true,
      },
    ],
    cause:
      'The DNS record api-int.CLUSTER.DOMAIN leads to an earlier cluster or to a proxy, whose CA is another one.',
    fix: 'Make the record point to this node, or set dns.local: true in sno-config.yaml; switch the earlier node off.',
    isNormalAtFirst: true,
  },
  {
    id: 'api-absent',
    title: 'the API server does not answer on the installed node',
    stages: ['api'],
    signs: [{ script: postReboot, waitsFor: 'the API server on localhost' }],
    cause:
      'The images of the control plane are still being pulled, or etcd or kube-apiserver does not start.',
    fix: 'Read the logs of etcd and kube-apiserver in control-plane/master/containers, and kubelet.log for failed pulls.',
    isGeneral: true,
  },
  {
    id: 'api-interrupted',
    title: 'the API server stopped answering',
    stages: ['bootstrap-complete', 'release-cvo-lease', 'release-cpc-lease', 'restore-cvo-overrides'],
    signs: [
      { script: postReboot, waitsFor: 'the ConfigMap kube-system/bootstrap' },
      { script: postReboot, waitsFor: 'the release of the lock *' },
      { script: postReboot, waitsFor: 'the overrides of the ClusterVersion' },
    ],
    cause: 'kube-apiserver or etcd restarts repeatedly: the disk is slow, or memory is short.',
    fix: 'Read their logs in control-plane/master/containers; look for "slow fdatasync" in that of etcd.',
  },
  {
    id: 'network-plugin-absent',
    title: 'the network plugin of the cluster does not start',
    stages: ['node-ready'],
    signs: [
      {
        program: 'kubelet',
        says: /No CNI configuration file in |cni plugin not initialized|cni config uninitialized/,
        source: 'github.com/cri-o/ocicni pkg/ocicni; containerd internal/cri/server',
        unit: 'kubelet',
        isRecent: true,
      },
    ],
    cause:
      'The pods of the network operator (openshift-multus, openshift-ovn-kubernetes) write the CNI configuration; one of them does not start.',
    fix: 'Read resources/pods.txt and the logs of these pods in control-plane/master/containers, then the conditions of the operator network in resources/clusteroperators.json.',
    isNormalAtFirst: true,
  },
  {
    id: 'node-not-ready',
    title: 'the node does not become Ready',
    stages: ['node-ready'],
    signs: [{ script: postReboot, waitsFor: 'the node * to be Ready' }],
    cause:
      'The kubelet does not reach api-int, its certificate request is not approved, or the network plugin does not start.',
    fix: 'Read control-plane/master/journals/kubelet.log and resources/csr.json.',
    isGeneral: true,
  },
  {
    id: 'kube-apiserver-operator',
    title: 'the kube-apiserver operator does not take over',
    stages: ['restart-kubelet-for-network', 'restart-kubelet-for-api'],
    signs: [
      { script: postReboot, waitsFor: 'the kube-apiserver operator to be Ready' },
      { script: postReboot, waitsFor: "the kube-apiserver operator's own static pod" },
    ],
    cause: 'Its image cannot be pulled, or an operator that it needs is degraded.',
    fix: 'Read resources/clusteroperators.json and resources/pods.txt.',
  },
  {
    id: 'routes-unavailable',
    title: 'ingress, console or authentication does not become available',
    stages: ['cluster-available'],
    signs: [
      {
        script: postReboot,
        says: 'not available: *',
        because: /\b(authentication|console|ingress)\b/,
      },
    ],
    cause: 'Usually *.apps does not resolve to the node.',
    fix: 'Make *.apps.CLUSTER.DOMAIN point to the node; then read the conditions in resources/clusteroperators.json.',
    isNormalAtFirst: true,
  },
  {
    id: 'operators-not-available',
    title: 'the cluster does not become available',
    stages: ['cluster-available', 'operators-own-control-plane'],
    signs: [
      { script: postReboot, says: 'not available: *' },
      { script: postReboot, waitsFor: 'the ClusterVersion to be Available' },
      { script: postReboot, waitsFor: 'the operators to take over the static pods of the bootstrap' },
    ],
    cause: 'The operators in the last such line are not ready.',
    fix: 'Read their conditions in resources/clusteroperators.json and their pods in resources/pods.txt.',
    isGeneral: true,
  },
  {
    id: 'post-install-kind-missing',
    title: 'a post-install manifest has a kind that no operator has installed',
    service: 'sno-post-install',
    stages: ['apply-objects'],
    signs: [{ script: postInstall, says: 'gave up*', because: 'kind * of * is not served' }],
    cause:
      'The Subscription of its operator is missing, its catalog cannot be reached, or the operator serves another version of the kind.',
    fix: 'See `oc get subscriptions,installplans,csv --all-namespaces`. Correct the Subscription or the manifest, then `sno-install apply`.',
  },
  {
    id: 'post-install-operator-not-ready',
    title: 'the operator of a post-install manifest is not installed',
    service: 'sno-post-install',
    stages: ['apply-objects'],
    signs: [
      { script: postInstall, says: 'gave up*', because: 'ClusterServiceVersion * is in phase *' },
      { script: postInstall, says: 'gave up*', because: 'the CRD * is not Established' },
    ],
    cause: 'The ClusterServiceVersion in the line does not succeed: often an image cannot be pulled.',
    fix: 'See `oc describe csv NAME --namespace NAMESPACE`. When its phase is Succeeded: `sno-install apply`.',
  },
  {
    id: 'post-install-object-refused',
    title: 'the API server rejects a post-install manifest',
    service: 'sno-post-install',
    stages: ['apply-objects'],
    signs: [{ script: postInstall, says: 'refused*' }],
    cause:
      'The line has its file, its object and the answer of the API server: the object is invalid, another field manager owns its fields, or a webhook rejects it.',
    fix: 'Correct the manifest in post-install/ and run `sno-install apply`, or correct the cluster and restart sno-post-install.service on the node.',
  },
  {
    id: 'post-install-not-started',
    title: 'the post-install manifests wait for the cluster',
    service: 'sno-post-install',
    stages: ['wait-for-cluster', 'read-status', 'apply-objects'],
    signs: [
      { script: postInstall, waitsFor: 'the installation to be complete' },
      { script: postInstall, waitsFor: 'the API server on localhost' },
      { script: postInstall, waitsFor: 'the ConfigMap kube-system/sno-post-install' },
    ],
    cause: 'The installation did not complete within four hours, or the API server does not answer.',
    fix: 'Read control-plane/master/journals/bootkube.log and kubelet.log. The service waits again after a minute.',
  },
  {
    id: 'foreign-certificate-request',
    title: 'a certificate request from another machine is pending',
    stages: 'any',
    signs: [
      {
        script: 'sno-csr.sh',
        says: 'certificate request * is not from this kubelet and is not approved: *',
      },
    ],
    cause: 'Another machine requests to join, or the node used a name or address that it no longer has.',
    fix: 'Check resources/csr.json for the requestor; the names in a request prove nothing. Approve only your own requests with `oc adm certificate approve NAME`.',
    weight: 'note',
  },
  {
    id: 'no-serving-certificate',
    title: 'the kubelet has no serving certificate',
    stages: 'any',
    signs: [
      {
        script: postReboot,
        says: 'the kubelet has no serving certificate yet: approve its request with oc adm certificate approve',
      },
    ],
    cause: 'Its request came late or was not approved. The cluster works except for oc logs and oc exec.',
    fix: '`oc get csr`, then `oc adm certificate approve NAME`.',
    weight: 'note',
  },
];
