import { problem, type Problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import type { FieldPath, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';

/** A field that names a Secret or ConfigMap which only the user creates. `[]` is each item of a list, `*` each field. */
interface Reference {
  readonly kind: string;
  readonly group: string;
  readonly field: string;
  readonly to: 'Secret' | 'ConfigMap';
  /** Default: the namespace of the object. */
  readonly namespace?: string;
}

const config = { group: 'config.openshift.io', namespace: 'openshift-config' };
const operator = { group: 'operator.openshift.io', namespace: 'openshift-config' };
const helm = { group: 'helm.openshift.io', namespace: 'openshift-config' };

/** Sources: field comments in openshift/api, config/v1, operator/v1 and helm/v1beta1; operator-framework/api, operators/v1alpha1 CatalogSource */
const references: readonly Reference[] = [
  {
    kind: 'IngressController',
    group: 'operator.openshift.io',
    field: 'spec.defaultCertificate.name',
    to: 'Secret',
    namespace: 'openshift-ingress',
  },
  { ...operator, kind: 'IngressController', field: 'spec.clientTLS.clientCA.name', to: 'ConfigMap' },
  { ...operator, kind: 'IngressController', field: 'spec.httpErrorCodePages.name', to: 'ConfigMap' },
  { ...operator, kind: 'Console', field: 'spec.customization.customLogoFile.name', to: 'ConfigMap' },
  {
    ...operator,
    kind: 'Console',
    field: 'spec.customization.logos[].themes[].source.configMap.name',
    to: 'ConfigMap',
  },
  { ...operator, kind: 'Console', field: 'spec.route.secret.name', to: 'Secret' },
  {
    ...operator,
    kind: 'DNS',
    field: 'spec.upstreamResolvers.transportConfig.tls.caBundle.name',
    to: 'ConfigMap',
  },
  {
    ...operator,
    kind: 'DNS',
    field: 'spec.servers[].forwardPlugin.transportConfig.tls.caBundle.name',
    to: 'ConfigMap',
  },
  {
    ...config,
    kind: 'APIServer',
    field: 'spec.servingCerts.namedCertificates[].servingCertificate.name',
    to: 'Secret',
  },
  { ...config, kind: 'APIServer', field: 'spec.clientCA.name', to: 'ConfigMap' },
  { ...config, kind: 'Ingress', field: 'spec.componentRoutes[].servingCertKeyPairSecret.name', to: 'Secret' },
  { ...config, kind: 'Proxy', field: 'spec.trustedCA.name', to: 'ConfigMap' },
  { ...config, kind: 'Image', field: 'spec.additionalTrustedCA.name', to: 'ConfigMap' },
  { ...config, kind: 'Authentication', field: 'spec.oauthMetadata.name', to: 'ConfigMap' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.clientSecret.name', to: 'Secret' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.fileData.name', to: 'Secret' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.bindPassword.name', to: 'Secret' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.tlsClientCert.name', to: 'Secret' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.tlsClientKey.name', to: 'Secret' },
  { ...config, kind: 'OAuth', field: 'spec.identityProviders[].*.ca.name', to: 'ConfigMap' },
  { ...config, kind: 'OAuth', field: 'spec.templates.*.name', to: 'Secret' },
  {
    ...config,
    kind: 'Authentication',
    field: 'spec.oidcProviders[].issuer.issuerCertificateAuthority.name',
    to: 'ConfigMap',
  },
  {
    ...config,
    kind: 'Authentication',
    field: 'spec.oidcProviders[].oidcClients[].clientSecret.name',
    to: 'Secret',
  },
  {
    ...config,
    kind: 'Authentication',
    field: 'spec.webhookTokenAuthenticator.kubeConfig.name',
    to: 'Secret',
  },
  { ...config, kind: 'Build', field: 'spec.additionalTrustedCA.name', to: 'ConfigMap' },
  { ...config, kind: 'Build', field: 'spec.buildDefaults.defaultProxy.trustedCA.name', to: 'ConfigMap' },
  { ...config, kind: 'ClusterVersion', field: 'spec.signatureStores[].ca.name', to: 'ConfigMap' },
  { ...helm, kind: 'HelmChartRepository', field: 'spec.connectionConfig.ca.name', to: 'ConfigMap' },
  { ...helm, kind: 'HelmChartRepository', field: 'spec.connectionConfig.tlsClientConfig.name', to: 'Secret' },
  { kind: 'CatalogSource', group: 'operators.coreos.com', field: 'spec.secrets[]', to: 'Secret' },
];

/** Objects that the installation creates. Source: openshift/installer pkg/asset/manifests (proxy.go, additionaltrustbundleconfig.go) */
const generated: ReadonlySet<string> = new Set([
  'ConfigMap openshift-config/user-ca-bundle',
  'Secret openshift-config/pull-secret',
]);

/**
 * Reports Secrets and ConfigMaps that an object names, and that neither the objects nor the installation contain. Operators wait for them, so
 * the installation does not complete. Problems: manifest/reference-missing.
 */
export function referenceProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  const present = new Set(
    objects.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
  );
  return objects.flatMap((sourced) =>
    references
      .filter(
        ({ kind, group }) => sourced.object.kind === kind && groupOf(sourced.object.apiVersion) === group,
      )
      .flatMap((reference) => {
        const namespace = reference.namespace ?? sourced.object.metadata.namespace ?? '';
        return namesAt(sourced.source.root, reference.field).flatMap(({ path, name }) => {
          const key = `${reference.to} ${namespace}/${name}`;
          return present.has(key) || generated.has(key)
            ? []
            : [missing(sourced, reference, { path, name, namespace })];
        });
      }),
  );
}

interface NamedField {
  readonly path: FieldPath;
  readonly name: string;
}

function missing(
  { object, source }: SourcedObject,
  { to }: Reference,
  { path, name, namespace }: NamedField & { readonly namespace: string },
): Problem {
  const what = `${to} ${maskedWord(namespace)}/${maskedWord(name)}`;
  return problem(
    'manifest/reference-missing',
    `${describeIdentity(identityOf(object))} needs the ${what}, which no manifest contains`,
    {
      at: manifestFieldPlace(source, path),
      hint: `add the ${what}${namespace === 'openshift-ingress' ? ' and its Namespace' : ''} to manifests/`,
    },
  );
}

/** The texts at a field such as `spec.items[].*.name`, without empty ones. */
function namesAt(root: YamlNode, field: string): readonly NamedField[] {
  let nodes: readonly { readonly node: YamlNode; readonly path: FieldPath }[] = [{ node: root, path: [] }];
  for (const step of field.replaceAll('[]', '.[]').split('.'))
    nodes = nodes.flatMap(({ node, path }) => {
      if (step === '[]')
        return node.kind === 'list'
          ? node.items.map((item, index) => ({ node: item, path: [...path, index] }))
          : [];
      if (node.kind !== 'map') return [];
      return node.entries
        .filter(({ key }) => step === '*' || key === step)
        .map(({ key, value }) => ({ node: value, path: [...path, key] }));
    });
  return nodes.flatMap(({ node, path }) =>
    node.kind === 'scalar' && typeof node.value === 'string' && node.value !== ''
      ? [{ path, name: node.value }]
      : [],
  );
}
