import { controlPlaneRender } from '../../../src/assets/config/control-plane-render.js';
import { installConfig } from '../../../src/assets/config/install-config.js';
import { release } from '../../../src/assets/config/release.js';
import { snoConfig } from '../../../src/assets/config/sno-config.js';
import { network } from '../../../src/assets/manifests/network.js';
import { proxy } from '../../../src/assets/manifests/proxy.js';
import { bootWindow } from '../../../src/assets/tls/certificates.js';
import { networksOf } from '../../../src/manifests/cluster-networks.js';
import { proxyOf } from '../../../src/manifests/proxy-urls.js';
import type { LiveFacts } from '../../../src/node/live/live-facts.js';
import { resolveAssets } from '../../support/made-from.js';

export interface Given {
  /** Fields of sno-config.yaml. */
  readonly sno?: string;
  /** Lines below `networking`. */
  readonly networking?: readonly string[];
  /** Additional fields of install-config.yaml. */
  readonly more?: string;
  readonly invoker?: string;
}

/** The facts that the real assets derive from a valid config, with one change. */
export async function facts(given: Given = {}): Promise<LiveFacts> {
  const assets = [installConfig, snoConfig, release, controlPlaneRender, bootWindow, network, proxy];
  const { valueOf } = await resolveAssets(assets, {
    files: givenFiles(given),
    environment: given.invoker === undefined ? {} : { invoker: given.invoker },
  });
  return {
    install: valueOf(installConfig),
    sno: valueOf(snoConfig),
    release: valueOf(release),
    render: valueOf(controlPlaneRender),
    window: valueOf(bootWindow),
    ...networksOf(valueOf(network)),
    proxy: proxyOf(valueOf(proxy)),
    ...(given.invoker !== undefined && { invoker: given.invoker }),
  };
}

/** The user's files. */
export function givenFiles({ sno, networking, more = '' }: Given): Readonly<Record<string, string>> {
  const networks = networking ?? ['machineNetwork: [{ cidr: 192.168.126.0/24 }]'];
  const install = `apiVersion: v1
baseDomain: example.com
metadata: { name: sno }
compute: [{ name: worker, replicas: 0 }]
controlPlane: { name: master, replicas: 1 }
networking:
${networks.map((line) => `  ${line}\n`).join('')}platform: { none: {} }
bootstrapInPlace: { installationDisk: /dev/disk/by-id/nvme-eui.0025388b710a5e20 }
pullSecret: '${throwawayPullSecret}'
${more}`;
  const header = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';
  return { 'install-config.yaml': install, ...(sno !== undefined && { 'sno-config.yaml': header + sno }) };
}

/** The credentials are the word "throwaway". */
export const throwawayPullSecret = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';
