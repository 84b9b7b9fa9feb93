/** A constant file of the node: path and template. */
export interface AioScript {
  readonly path: string;
  readonly template: string;
}

/** Scripts shared with the live system of an in-place installation. */
const shared = [
  'bootstrap-service-record.sh',
  'release-image.sh',
  'sno-checks.sh',
  'sno-common.sh',
  'sno-csr.sh',
  'sno-gather.sh',
  'sno-kubelet-client.sh',
  'sno-redact.sh',
  'sno-request-names.sh',
];

const own = [
  'aio-common.sh',
  'aiokube.sh',
  'installer-gather.sh',
  'sno-approve.sh',
  'sno-certificate.sh',
  'sno-kubelet-identity.sh',
  'sno-renew.sh',
  'sno-unpack.sh',
];

/** All scripts of the node. They contain no placeholders. */
export const aioScripts: readonly AioScript[] = [
  ...own.map((name) => script(name, 'aio')),
  ...shared.map((name) => script(name, 'live')),
];

export interface AioUnit {
  readonly name: string;
  readonly enabled: boolean;
  /** Whether the template contains placeholders. */
  readonly isTemplate?: true;
}

/** The systemd units of the node; `enabled` ones start at boot. */
export const aioUnits: readonly AioUnit[] = [
  { name: 'aiokube.service', enabled: true },
  { name: 'kubelet.service', enabled: true, isTemplate: true },
  { name: 'sno-approve.service', enabled: false },
  { name: 'sno-approve.timer', enabled: true },
  { name: 'sno-renew.service', enabled: true },
  { name: 'sno-renew.timer', enabled: true },
  { name: 'sno-unpack.service', enabled: true },
];

function script(name: string, folder: 'aio' | 'live'): AioScript {
  return { path: `/usr/local/bin/${name}`, template: `${folder}/usr/local/bin/${name}` };
}
