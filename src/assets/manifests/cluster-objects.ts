import { clusterDomain } from '../../config/cluster-domain.js';
import { computeReplicas } from '../../config/compute-replicas.js';
import { clusterFeatureSet, customFeatures } from '../../config/feature-sets.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import { servedVersion } from '../../config/served-version.js';
import { fieldAt } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import type { Dns, FeatureGate, Ingress, Scheduler } from '../../kube/openshift-objects.js';
import { controlPlaneTopology, defaultPlacement } from '../../manifests/topology.js';
import type { ServedKind } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoConfig } from '../config/sno-config.js';
import { defineManifests } from './family.js';

/** Allows workloads on the control-plane node, unless the installation includes workers. */
export const scheduler = defineManifests({
  name: 'manifests/scheduler',
  needs: { install: installConfig },
  make: ({ install }) => {
    const object: Scheduler = {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Scheduler',
      metadata: { name: 'cluster' },
      spec: { mastersSchedulable: computeReplicas(install) === 0 },
    };
    return [{ path: 'manifests/cluster-scheduler-02-config.yml', object }];
  },
});

/** The cluster's base domain. */
export const dns = defineManifests({
  name: 'manifests/dns',
  needs: { install: installConfig },
  make: ({ install }) => {
    const object: Dns = {
      apiVersion: 'config.openshift.io/v1',
      kind: 'DNS',
      metadata: { name: 'cluster' },
      spec: { baseDomain: clusterDomain(install) },
    };
    return [{ path: 'manifests/cluster-dns-02-config.yml', object }];
  },
  alsoElsewhere: () => [
    { path: ['spec', 'baseDomain'], input: 'metadata.name and baseDomain in install-config.yaml' },
  ],
});

/** Domain of the routes, and the nodes that run the router. */
export const ingress = defineManifests({
  name: 'manifests/ingress',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install }) => [
    { path: 'manifests/cluster-ingress-02-config.yml', object: ingressObject(install) },
  ],
  // The node's local DNS server also answers for this domain.
  alsoElsewhere: ({ sno }) =>
    sno.dns.local
      ? [{ path: ['spec', 'domain'], input: 'metadata.name and baseDomain in install-config.yaml' }]
      : [],
});

function ingressObject(install: InstallConfig): Ingress {
  const controlPlane = controlPlaneTopology(install.controlPlane.replicas, 0);
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Ingress',
    metadata: { name: 'cluster' },
    spec: { domain: `apps.${clusterDomain(install)}` },
    status: {
      defaultPlacement: defaultPlacement(
        controlPlane,
        install.platform.external === undefined ? 'None' : 'External',
      ),
    },
  };
}

/** The feature set; written for the default set too, since render commands on the node require the file. */
export const featureGate = defineManifests({
  name: 'manifests/feature-gate',
  needs: { install: installConfig, release },
  make: ({ install, release }) => [
    {
      path: 'openshift/99_feature-gate.yaml',
      object: featureGateObject(clusterFeatureSet(install.featureSet, release), install.featureGates),
    },
  ],
  alsoElsewhere: () => [
    { path: ['spec', 'featureSet'], input: 'featureSet in install-config.yaml' },
    { path: ['spec', 'customNoUpgrade'], input: 'featureGates in install-config.yaml' },
  ],
});

function featureGateObject(featureSet: string, featureGates: InstallConfig['featureGates']): FeatureGate {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec: {
      ...(featureGates.length > 0 && { customNoUpgrade: customFeatures(featureGates) }),
      ...(featureSet !== '' && { featureSet }),
    },
  };
}

/** Key algorithms for certificates that operators renew; written only with the preview feature. */
export const pki = defineManifests({
  name: 'manifests/pki',
  needs: { install: installConfig, release },
  make: ({ install, release: { version } }) => {
    const apiVersion = version && servedVersion(releases.like(version).pki, install);
    return apiVersion === undefined
      ? []
      : [{ path: 'manifests/cluster-pki-02-config.yaml', object: pkiObject(apiVersion, install.pki) }];
  },
});

/** Default of the installer's own profile. Source: openshift/installer pkg/types/pki/defaults.go. */
const defaultKey = { algorithm: 'RSA', rsa: { keySize: 4096 } };

function pkiObject(apiVersion: ServedKind['apiVersion'], given: unknown): KubeObject {
  const signerCertificates = fieldAt(given, ['signerCertificates']);
  return {
    apiVersion: `config.openshift.io/${apiVersion}`,
    kind: 'PKI',
    metadata: { name: 'cluster' },
    spec: {
      certificateManagement:
        signerCertificates === undefined
          ? { mode: 'Default' }
          : { mode: 'Custom', custom: { defaults: { key: defaultKey }, signerCertificates } },
    },
  };
}
