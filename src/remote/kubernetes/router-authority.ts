import { isRecord } from '../../core/is-record.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { listAt, textAt } from '../../kube/fields.js';

/**
 * Adds CA certificates (PEM) to the clusters of a kubeconfig, so that `oc login` and the console behind the router are
 * trusted. Undefined if they are already included, or the kubeconfig names its CA by file.
 * Source: openshift/installer cmd/openshift-install/command/waitfor.go, addRouterCAToClusterCA.
 */
export function withRouterAuthority(kubeconfig: string, authorityPem: string): string | undefined {
  const [document] = readYaml(kubeconfig).documents;
  const config = document && toData(document);
  if (!isRecord(config)) return undefined;
  const before = listAt(config, ['clusters']);
  const clusters = before.map((cluster) => trusting(cluster, authorityPem));
  const isSame = clusters.every((cluster, index) => cluster === before[index]);
  return isSame ? undefined : writeYaml({ ...config, clusters });
}

function trusting(named: unknown, authorityPem: string): unknown {
  const data = textAt(named, ['cluster', 'certificate-authority-data']);
  if (data === undefined || !isRecord(named) || !isRecord(named['cluster'])) return named;
  const bundle = Buffer.from(data, 'base64').toString('utf8');
  const missing = certificatesOf(authorityPem).filter((pem) => !certificatesOf(bundle).includes(pem));
  if (missing.length === 0) return named;
  const all = `${bundle.trimEnd()}\n${missing.join('')}`;
  const authority = { 'certificate-authority-data': Buffer.from(all).toString('base64') };
  return { ...named, cluster: { ...named['cluster'], ...authority } };
}

function certificatesOf(text: string): readonly string[] {
  return readCertificateBundle(text).certificates.map(({ pem }) => pem);
}
