import { secretFile } from '../../core/output-file.js';
import { resultOf } from '../../core/result.js';
import { xzEncode } from '../../formats/xz.js';
import { defineAsset } from '../../graph/asset.js';
import { buildConfig } from '../../ignition/build-config.js';
import { checkConfig } from '../../ignition/check-config.js';
import { coreUser } from '../../ignition/core-user.js';
import { serializeConfig } from '../../ignition/serialize.js';
import {
  checkEmbeddedSize,
  embedAreaBytes,
  embeddedSize,
  type EmbeddedSize,
} from '../../ignition/embedded-size.js';
import type { NodeFile } from '../../ignition/types.js';
import { bootstrapInPlace } from '../config/bootstrap-in-place.js';
import { installConfig } from '../config/install-config.js';
import { releaseMirrors } from '../config/release-mirrors.js';
import { controlPlaneNodeFiles } from '../control-plane/node-files.js';
import { adminInternalKubeconfig, kubeletKubeconfig, loopbackKubeconfig } from '../kubeconfig/kubeconfigs.js';
import { liveSystem } from '../live/live-system.js';
import { manifestNodeFiles } from '../manifests/manifests.js';
import { bootstrapSshKeyPair } from '../tls/certificates.js';
import { tlsNodeFiles } from '../tls/node-files.js';

/** Ignition config of the live system, and its size for reports. */
export interface SingleNodeIgnition {
  /** Compact JSON. */
  readonly text: string;
  readonly fileCount: number;
  readonly size: {
    readonly rawBytes: number;
    /** Compressed size in the live ISO's embed area. */
    readonly embedded: EmbeddedSize;
    readonly limitBytes: number;
  };
}

/** The complete Ignition config of the live system for bootstrap in place. */
export const singleNodeIgnition = defineAsset({
  name: 'ignition/single-node',
  needs: {
    config: installConfig,
    // Unused dependencies: nothing is built without an installation disk or a valid release.
    disk: bootstrapInPlace,
    mirrors: releaseMirrors,
    live: liveSystem,
    manifests: manifestNodeFiles,
    tls: tlsNodeFiles,
    controlPlane: controlPlaneNodeFiles,
    admin: adminInternalKubeconfig,
    kubelet: kubeletKubeconfig,
    loopback: loopbackKubeconfig,
    ssh: bootstrapSshKeyPair,
  },
  tryMake: async (parents) => {
    const { config, live, manifests, tls, controlPlane, ssh } = parents;
    const files = [...live.files, ...manifests, ...tls, ...controlPlane, ...kubeconfigFiles(parents)];
    const users = [coreUser(config.sshKey, ssh.authorizedKey)];
    const ignition = buildConfig({ files, units: live.units, users });
    const problems = checkConfig(ignition);
    const text = serializeConfig(ignition);
    const size = {
      rawBytes: Buffer.byteLength(text),
      embedded: await embeddedSize(text, xzEncode),
      limitBytes: embedAreaBytes,
    };
    const value: SingleNodeIgnition = { text, fileCount: files.length, size };
    return resultOf(value, [...problems, ...checkEmbeddedSize(size.embedded.bytes)]);
  },
  files: ({ text }) => [secretFile('bootstrap-in-place-for-live-iso.ign', text)],
});

interface Kubeconfigs {
  readonly admin: string;
  readonly kubelet: string;
  readonly loopback: string;
}

/** File names on the node. Source: openshift/installer pkg/asset/kubeconfig */
function kubeconfigFiles({ admin, kubelet, loopback }: Kubeconfigs): readonly NodeFile[] {
  const folder = '/opt/openshift/auth';
  return [
    { path: `${folder}/kubeconfig`, mode: 0o600, contents: admin },
    { path: `${folder}/kubeconfig-kubelet`, mode: 0o600, contents: kubelet },
    { path: `${folder}/kubeconfig-loopback`, mode: 0o600, contents: loopback },
  ];
}
