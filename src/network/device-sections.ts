import type { InterfaceDescription, VirtualFunction } from '../fields/network-model.js';
import { featureProperty } from './ethtool-features.js';
import type { KeyfileSection, KeyfileValue } from './keyfile.js';

type Sections = readonly KeyfileSection[];
type Values = Readonly<Record<string, KeyfileValue | undefined>>;
type Ethtool = NonNullable<InterfaceDescription['ethtool']>;

/** `[sriov]` of a card with virtual functions. */
export function sriovSection({ ethernet }: InterfaceDescription): Sections {
  const { 'total-vfs': total, 'drivers-autoprobe': autoprobe, vfs = [] } = ethernet?.['sr-iov'] ?? {};
  if (total === undefined || total === 0) return [];
  const values = {
    'total-vfs': total,
    'autoprobe-drivers': autoprobe === undefined ? undefined : Number(autoprobe),
    ...Object.fromEntries(vfs.map((each) => [`vf.${each.id ?? 0}`, functionText(each)])),
  };
  return [{ name: 'sriov', values }];
}

/** Source: nm-settings-keyfile(5), sriov setting */
function functionText(each: VirtualFunction): string {
  const vlan = each['vlan-id'];
  const words = {
    mac: each['mac-address']?.toUpperCase(),
    'spoof-check': each['spoof-check'],
    trust: each.trust,
    'min-tx-rate': each['min-tx-rate'],
    'max-tx-rate': each['max-tx-rate'],
    vlans: vlan === undefined ? undefined : `${vlan}.${each.qos ?? 0}.${tagLetters(each['vlan-proto'])}`,
  };
  return Object.entries(words)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]))
    .join(' ');
}

function tagLetters(protocol: string | undefined): string {
  return protocol === '802.1ad' ? 'ad' : 'q';
}

/** `[ethtool]`: settings of the driver. */
export function ethtoolSection({ ethtool }: InterfaceDescription): Sections {
  if (ethtool === undefined) return [];
  const values = {
    ...prefixed('ring', ethtool.ring),
    ...prefixed('coalesce', ethtool.coalesce),
    ...featureValues(ethtool),
    ...pauseValues(ethtool),
    'fec-mode': fecMode(ethtool),
  };
  return [{ name: 'ethtool', values }];
}

function prefixed(
  prefix: string,
  values: Readonly<Record<string, number | boolean | undefined>> = {},
): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${prefix}-${name}`,
      typeof value === 'boolean' ? Number(value) : value,
    ]),
  );
}

function featureValues({ feature = {} }: Ethtool): Values {
  return Object.fromEntries(
    Object.entries(feature).map(([name, value]) => [featureProperty(name) ?? `feature-${name}`, value]),
  );
}

function pauseValues({ pause = {} }: Ethtool): Values {
  return {
    'pause-autoneg': pause.autoneg,
    ...(pause.autoneg === false && { 'pause-rx': pause.rx, 'pause-tx': pause.tx }),
  };
}

/** Source: NMSettingEthtoolFecMode of NetworkManager's libnm */
const fecModes = { auto: 2, off: 4, rs: 8, baser: 16, llrs: 32 };

function fecMode({ fec = {} }: Ethtool): number | undefined {
  if (fec.auto === true) return fecModes.auto;
  if (fec.mode !== undefined) return fecModes[fec.mode];
  return fec.auto === false ? fecModes.off : undefined;
}
