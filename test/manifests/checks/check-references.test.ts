import { expect, it } from 'vitest';

import { referenceProblems } from '../../../src/manifests/checks/check-references.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

const operator = 'operator.openshift.io/v1';
const config = 'config.openshift.io/v1';

function object(apiVersion: string, kind: string, spec: string, namespace = ''): string {
  const place = namespace === '' ? '' : `, namespace: ${namespace}`;
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a${place}}\nspec: ${spec}\n`;
}

function held(kind: string, namespace: string, name: string): string {
  return `---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}}\n`;
}

const ingress = object(
  operator,
  'IngressController',
  '{defaultCertificate: {name: router}}',
  'openshift-ingress-operator',
);

it.each<{ name: string; given: string; want: readonly string[] }>([
  {
    name: 'the certificate of an IngressController',
    given: ingress,
    want: ['f.yaml:4:35 (spec.defaultCertificate.name): Secret openshift-ingress/router'],
  },
  {
    name: 'a Secret among the manifests',
    given: ingress + held('Secret', 'openshift-ingress', 'router'),
    want: [],
  },
  {
    name: 'a Secret in another namespace',
    given: ingress + held('Secret', 'openshift-config', 'router'),
    want: ['f.yaml:4:35 (spec.defaultCertificate.name): Secret openshift-ingress/router'],
  },
  {
    name: 'each certificate of an APIServer, and its client CA',
    given:
      object(
        config,
        'APIServer',
        '{clientCA: {name: ca}, servingCerts: {namedCertificates: [{servingCertificate: {name: one}}, {servingCertificate: {name: two}}]}}',
      ) + held('Secret', 'openshift-config', 'one'),
    want: [
      'f.yaml:4:128 (spec.servingCerts.namedCertificates[1].servingCertificate.name): Secret openshift-config/two',
      'f.yaml:4:25 (spec.clientCA.name): ConfigMap openshift-config/ca',
    ],
  },
  {
    name: 'identity providers of any type',
    given: object(
      config,
      'OAuth',
      '{identityProviders: [{name: a, type: OpenID, openID: {ca: {name: ca}, clientSecret: {name: s}}}]}',
    ),
    want: [
      'f.yaml:4:98 (spec.identityProviders[0].openID.clientSecret.name): Secret openshift-config/s',
      'f.yaml:4:72 (spec.identityProviders[0].openID.ca.name): ConfigMap openshift-config/ca',
    ],
  },
  {
    name: 'pull secrets of a CatalogSource, in its namespace',
    given: object('operators.coreos.com/v1alpha1', 'CatalogSource', '{secrets: [mirror]}', 'mine'),
    want: ['f.yaml:4:18 (spec.secrets[0]): Secret mine/mirror'],
  },
  {
    name: 'error pages and client CA of an IngressController',
    given: object(operator, 'IngressController', '{httpErrorCodePages: {name: pages}}'),
    want: ['f.yaml:4:35 (spec.httpErrorCodePages.name): ConfigMap openshift-config/pages'],
  },
  {
    name: 'logos of the Console',
    given: object(
      operator,
      'Console',
      '{customization: {logos: [{type: Masthead, themes: [{mode: Dark, source: {from: ConfigMap, configMap: {name: logo, key: a.png}}}]}]}}',
    ),
    want: [
      'f.yaml:4:115 (spec.customization.logos[0].themes[0].source.configMap.name): ConfigMap openshift-config/logo',
    ],
  },
  {
    name: 'CA bundles of a DNS',
    given: object(
      operator,
      'DNS',
      '{servers: [{name: a, forwardPlugin: {transportConfig: {tls: {caBundle: {name: ca}}}}}]}',
    ),
    want: [
      'f.yaml:4:85 (spec.servers[0].forwardPlugin.transportConfig.tls.caBundle.name): ConfigMap openshift-config/ca',
    ],
  },
  {
    name: 'the CA and client secret of an OIDC provider, and a webhook',
    given: object(
      config,
      'Authentication',
      '{webhookTokenAuthenticator: {kubeConfig: {name: hook}}, oidcProviders: [{issuer: {issuerCertificateAuthority: {name: ca}}, oidcClients: [{clientSecret: {name: s}}]}]}',
    ),
    want: [
      'f.yaml:4:124 (spec.oidcProviders[0].issuer.issuerCertificateAuthority.name): ConfigMap openshift-config/ca',
      'f.yaml:4:166 (spec.oidcProviders[0].oidcClients[0].clientSecret.name): Secret openshift-config/s',
      'f.yaml:4:55 (spec.webhookTokenAuthenticator.kubeConfig.name): Secret openshift-config/hook',
    ],
  },
  {
    name: 'the CA bundle of the installation',
    given: object(config, 'Proxy', '{trustedCA: {name: user-ca-bundle}}'),
    want: [],
  },
  { name: 'an empty name', given: object(config, 'Proxy', '{trustedCA: {name: ""}}'), want: [] },
  {
    name: 'a kind of another group',
    given: object('example.com/v1', 'Proxy', '{trustedCA: {name: x}}'),
    want: [],
  },
])('$name', ({ given, want }) => {
  const found = referenceProblems(objectsOf(given)).map(showProblem);
  expect(
    found.map((line) => line.replace(/: .* needs the (.*), which no manifest contains$/, ': $1')),
  ).toEqual(want.map((line) => `warning[manifest/reference-missing] ${line}`));
});
