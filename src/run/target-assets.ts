import { aioBootWindow } from '../assets/aio/certificates.js';
import { aioControlPlaneTree } from '../assets/aio/control-plane-tree.js';
import { aioRelease } from '../assets/aio/aio-release.js';
import { aioIgnition } from '../assets/aio/ignition.js';
import { aioKubeconfig, aioMetadata } from '../assets/aio/kubeconfig-and-metadata.js';
import { aioRequests } from '../assets/aio/aio-requests.js';
import { aioPayloadImages } from '../assets/aio/payload.js';
import { installConfig } from '../assets/config/install-config.js';
import { configAssets, ignoredInPlaceSettings, inPlaceConfigAssets } from '../assets/config/config-checks.js';
import { sitePayload } from '../assets/config/payload.js';
import { release } from '../assets/config/release.js';
import { snoConfig } from '../assets/config/sno-config.js';
import { bootstrapInPlaceTree } from '../assets/control-plane/control-plane-tree.js';
import { metadata } from '../assets/identity/metadata.js';
import { workerPointer } from '../assets/ignition/pointer.js';
import { singleNodeIgnition } from '../assets/ignition/single-node-ignition.js';
import { kubeadminPasswordFile } from '../assets/manifests/cluster-secrets.js';
import { adminKubeconfig } from '../assets/kubeconfig/kubeconfigs.js';
import { inPlaceChecks } from '../assets/live/in-place-checks.js';
import { manifests } from '../assets/manifests/manifests.js';
import { neededEdits } from '../assets/manifests/needed-edits.js';
import { postInstall, postInstallObjects } from '../assets/manifests/post-install.js';
import { userManifests } from '../assets/manifests/user-manifests.js';
import { bootWindow } from '../assets/tls/certificates.js';
import type { Resolved } from '../graph/engine.js';
import type { Facts, IgnitionAssets, TargetAssets } from './target.js';
import type { IgnitionTarget, TargetName } from './targets.js';

export { liveImage } from '../assets/config/live-image.js';
export { runningSite } from '../assets/manifests/running-site.js';
export { stateCluster } from '../assets/identity/state-cluster.js';

/** The configs whose fields `why` traces, by their files. */
export const tracedConfigs = { 'install-config.yaml': installConfig, 'sno-config.yaml': snoConfig } as const;

const aioChecks = [aioRelease, aioRequests, aioPayloadImages];

/** The assets of every target. Loaded by commands that resolve them, not by `--help`. */
export const targetAssets: {
  readonly [Name in TargetName]: Name extends IgnitionTarget ? IgnitionAssets : TargetAssets;
} = {
  manifests: {
    configs: [...configAssets, sitePayload],
    checks: [userManifests, postInstallObjects, neededEdits],
    roots: [manifests, postInstall, ignoredInPlaceSettings, sitePayload],
  },
  'single-node-ignition-config': {
    configs: inPlaceConfigAssets,
    checks: inPlaceChecks,
    roots: [
      singleNodeIgnition,
      workerPointer,
      adminKubeconfig,
      kubeadminPasswordFile,
      metadata,
      ignoredInPlaceSettings,
    ],
    facts: singleNodeFacts,
    receiptKey: 'auth/kubeconfig',
  },
  'aio-ignition': {
    configs: configAssets,
    checks: aioChecks,
    roots: [aioIgnition, aioKubeconfig, aioMetadata],
    facts: (resolved) => windowFacts(resolved.valueOf(aioBootWindow)),
    receiptKey: 'auth/kubeconfig',
  },
  'control-plane': {
    configs: [...configAssets, sitePayload],
    checks: inPlaceChecks,
    roots: [bootstrapInPlaceTree, ignoredInPlaceSettings],
  },
  'aio-control-plane': {
    configs: configAssets,
    checks: aioChecks,
    roots: [aioControlPlaneTree, aioPayloadImages],
  },
};

function singleNodeFacts(resolved: Resolved): Facts {
  const { embedded, limitBytes } = resolved.valueOf(singleNodeIgnition).size;
  const { version, isOkd } = resolved.valueOf(release);
  const { architecture } = resolved.valueOf(installConfig).controlPlane;
  return {
    ...windowFacts(resolved.valueOf(bootWindow)),
    embedded: { ...embedded, limitBytes },
    liveImage: { architecture, ...(version && { release: version.text }), isOkd },
  };
}

function windowFacts(window: { readonly notBefore: Date; readonly bootableUntil: Date }): Facts {
  return { bootableFrom: window.notBefore, bootableUntil: window.bootableUntil };
}
