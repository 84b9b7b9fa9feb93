import { byCodeUnit } from '../../../core/compare.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { configMap, secret, type ConfigMap, type Secret } from '../../../kube/core-objects.js';
import type { ObjectMeta } from '../../../kube/object.js';
import type { CertifiedKey } from '../../../pki/certified-key.js';
import { leaves, signers } from '../../tls/certificates.js';
import { defineManifests } from '../family.js';

/** Certificates of the machine-config server, for the operator that renews them. */
export const machineConfigServer = defineManifests({
  name: 'manifests/machine-config-server',
  needs: { ca: signers['root-ca'], serving: leaves['machine-config-server'] },
  make: ({ ca, serving }) => [
    { path: 'manifests/kube-system-configmap-root-ca.yaml', object: rootCa(ca) },
    { path: 'manifests/machine-config-server-ca-configmap.yaml', object: caBundle(ca) },
    { path: 'manifests/machine-config-server-ca-secret.yaml', object: caSecret(ca) },
    { path: 'manifests/machine-config-server-tls-secret.yaml', object: servingSecret(serving) },
  ],
  alsoElsewhere: () => [{ path: ['data'], input: 'the state file' }],
});

function rootCa({ certPem }: CertifiedKey): ConfigMap {
  return configMap({ name: 'root-ca', namespace: 'kube-system' }, { 'ca.crt': certPem });
}

function caBundle({ certPem }: CertifiedKey): ConfigMap {
  const annotations = {
    'openshift.io/description': 'The authorities that signed the certificate of the machine config server',
    'openshift.io/owning-component': 'Machine Config Operator',
  };
  const metadata = managed('machine-config-server-ca', 'ca-bundle', annotations);
  return configMap(metadata, { 'ca-bundle.crt': certPem });
}

function caSecret(ca: CertifiedKey): Secret {
  return tlsSecret(managed('machine-config-server-ca', 'signer', issueOf(ca)), ca);
}

function servingSecret(serving: CertifiedKey): Secret {
  const hostnames = serving.hostnames.toSorted(byCodeUnit).join(',');
  const annotations = { ...issueOf(serving), 'auth.openshift.io/certificate-hostnames': hostnames };
  return tlsSecret(managed('machine-config-server-tls', 'target', annotations), serving);
}

/** Adds the label by which library-go's certificate rotation finds its objects. Source: openshift/library-go pkg/operator/certrotation. */
function managed(
  name: string,
  type: 'ca-bundle' | 'signer' | 'target',
  annotations: Readonly<Record<string, string>>,
): ObjectMeta {
  return {
    name,
    namespace: 'openshift-machine-config-operator',
    labels: { 'auth.openshift.io/managed-certificate-type': type },
    annotations,
  };
}

/** Annotations from which certificate rotation decides when to renew, without parsing the certificate. Source: as above. */
function issueOf({ issuerCommonName, notBefore, notAfter }: CertifiedKey): Readonly<Record<string, string>> {
  return {
    'auth.openshift.io/certificate-issuer': issuerCommonName,
    'auth.openshift.io/certificate-not-after': rfc3339(notAfter),
    'auth.openshift.io/certificate-not-before': rfc3339(notBefore),
  };
}

function tlsSecret(metadata: ObjectMeta, { chainPem, keyPem }: CertifiedKey): Secret {
  return secret(metadata, 'kubernetes.io/tls', { 'tls.crt': chainPem, 'tls.key': keyPem.reveal() });
}
