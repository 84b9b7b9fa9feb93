import { join } from 'node:path';

import { layWithIgnition } from '../../../support/real-ignition.js';
import type { Images } from '../support/images.js';
import { startMachine, type Machine, type MachineOptions } from '../support/machine.js';
import { serveMirror, kubernetesImages } from './offered.js';
import { createSite, type Site, type SiteConfig } from './site.js';

/** A machine with the files of `aio.ign`, and the other output of the command. */
export interface AioNode {
  readonly site: Site;
  /** Folder of the machine's root. */
  readonly root: string;
  /** Boots the machine, for the first time or after it was stopped. */
  readonly boot: () => Promise<Machine>;
}

export interface NodeNetwork {
  readonly address: string;
  readonly prefix: number;
  readonly gateway: string;
  /** The other address family of a dual-stack machine. */
  readonly second?: Omit<NodeNetwork, 'second'>;
}

export interface NodeCase {
  readonly config: SiteConfig;
  readonly network: NodeNetwork;
  readonly issuedAt: Date;
  /** Images in the container runtime in addition to those of Kubernetes. */
  readonly images?: () => Promise<Images>;
}

/** Creates a site, serves the files that it downloads, and applies its config with the real Ignition engine below `scratch`. */
export async function prepareAioNode(
  scratch: string,
  { config, network, issuedAt, images }: NodeCase,
): Promise<AioNode> {
  const files = await serveMirror(scratch);
  try {
    const whole: SiteConfig = {
      ...config,
      install: { ...config.install, additionalTrustBundle: files.server.caPem },
      sno: { ...config.sno, aio: { files: files.entries } },
    };
    const site = await createSite(join(scratch, 'site'), whole, issuedAt);
    const root = layWithIgnition(site.ignition, scratch);
    const networks = [network, ...(network.second === undefined ? [] : [network.second])];
    const options: MachineOptions = {
      root,
      addresses: networks.map(({ address, prefix }) => `${address}/${prefix}`),
      gateways: networks.map(({ gateway }) => gateway),
      images: { ...(await kubernetesImages()), ...(await images?.()) },
      additions: { texts: operatingSystemTexts(network.address) },
    };
    return {
      site,
      root,
      boot: () => startMachine(options),
    };
  } finally {
    await files.server.stop();
  }
}

/**
 * Files of Fedora CoreOS that Debian does not have: a folder of kernel modules, and the DNS server list that systemd-resolved
 * writes. No server answers at that address.
 */
const operatingSystemTexts = (nameServer: string): Readonly<Record<string, string>> => ({
  'lib/tmpfiles.d/resolved.conf': `d /run/systemd/resolve 0755 root root -
f /run/systemd/resolve/resolv.conf 0644 root root - nameserver ${nameServer}
`,
  'lib/modules/README': "The kernel is another system's.\n",
});
