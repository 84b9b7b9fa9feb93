import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { buildConfig } from '../../../../src/ignition/build-config.js';
import type { NodeFile } from '../../../../src/ignition/types.js';
import { imageName, releaseImages } from '../../../lab/release/images.js';
import { nodeRuntime } from '../../../lab/system.js';
import { layWithIgnition } from '../../../support/real-ignition.js';
import { writeImageArchive } from '../support/images.js';
import { startMachine, type Machine } from '../support/machine.js';
import { hosts, openNetwork } from './lan.js';
import { nodeAddress, nodeName, releaseMinor, type Site } from './site.js';

/** Boots a machine whose kubelet runs the static pods of the site with the images of the laboratory. */
export async function startControlPlane(site: Site, scratch: string): Promise<Machine> {
  mkdirSync(scratch);
  const files: readonly NodeFile[] = [
    ...site.nodeFiles.map(([path, text]) => ({ path, mode: 0o600, contents: withImages(text) })),
    ...Object.entries(nodeTexts).map(([path, contents]) => ({ path, mode: 0o644, contents })),
  ];
  const units = [{ name: 'kubelet.service', enabled: true, contents: kubeletUnit }];
  const root = layWithIgnition(JSON.stringify(buildConfig({ files, units, users: [] })), scratch);
  const archive = join(root, 'var/lib/sno-lab/images.tar');
  mkdirSync(dirname(archive), { recursive: true });
  await writeImageArchive(await releaseImages(releaseMinor, scratch), archive);
  const machine = await startMachine({
    root,
    hostname: nodeName,
    addresses: [`${nodeAddress}/24`],
    gateways: ['192.168.126.1'],
    additions: await nodeRuntime(),
    kubelet: '/usr/bin/kubelet',
  });
  await openNetwork(machine);
  return machine;
}

/** Fills in the values of the payload. Upstream's programs know no feature gates of OpenShift. */
function withImages(text: string): string {
  return text
    .replaceAll(/@@image-([a-z-]+)@@/g, (_, name: string) => imageName(name))
    .replaceAll('@@feature-gates@@', '');
}

/** Without a kubeconfig it runs static pods only and registers no node. */
const kubeletConfig = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: false }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  cgroupDriver: 'systemd',
  containerRuntimeEndpoint: 'unix:///run/crio/crio.sock',
  staticPodPath: '/etc/kubernetes/manifests',
};

const nodeTexts = {
  '/etc/hosts': hosts,
  '/etc/kubernetes/kubelet.conf': JSON.stringify(kubeletConfig),
  '/etc/crio/crio.conf.d/00-default.conf': `[crio.image]\npause_image = "${imageName('pod')}"\n`,
};

const kubeletUnit = `[Unit]
Description=Kubernetes Kubelet
Wants=crio.service
After=crio.service

[Service]
Type=notify
ExecStart=/usr/bin/kubelet --config=/etc/kubernetes/kubelet.conf --v=2
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;
