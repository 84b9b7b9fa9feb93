import { isIP } from 'node:net';

/** Where a BMC answers, and which of its machines is meant. */
export interface BmcAddress {
  /** `https://host:port`; `http:` only where it was written. */
  readonly origin: string;
  /** The path of a ComputerSystem, such as `/redfish/v1/Systems/1`; absent where the BMC has one machine. */
  readonly system?: string;
}

/** Whether two addresses may be of one machine: without a system it is the only one that the BMC has. */
export function isSameMachine(left: BmcAddress, right: BmcAddress): boolean {
  const isNamed = left.system !== undefined && right.system !== undefined;
  return left.origin === right.origin && (!isNamed || left.system === right.system);
}

/** Those that speak Redfish. Source: metal3-io/baremetal-operator, docs/api.md, "bmc.address" */
const vendorScheme =
  /^(?:redfish|redfish-virtualmedia|ilo5-redfish|ilo5-virtualmedia|idrac-redfish|idrac-virtualmedia)(?:\+(https?))?:\/\//i;

/** Those of metal3 that speak something else. */
const otherScheme = /^(?:ipmi|libvirt|idrac|ilo4|ilo4-virtualmedia|ilo5|irmc)(?:\+https?)?:\/\//i;

/**
 * The address of a BMC as people have it from metal3 (`idrac-virtualmedia://host/redfish/v1/Systems/1`), as a URL, or as a host alone.
 * A fault is the end of a sentence that begins with the address, which is not repeated: it may hold a password.
 */
export function parseBmcAddress(text: string): BmcAddress | { readonly fault: string } {
  const other = otherScheme.exec(text);
  if (other) return { fault: `is of a protocol without virtual media by Redfish (${other[0]})` };
  const url = urlOf(text);
  if (url === undefined) return { fault: 'is no address of a BMC' };
  if (url.username !== '' || url.password !== '') return { fault: 'holds a user or a password' };
  if (url.search !== '' || url.hash !== '') return { fault: 'has something behind its path' };
  const system = url.pathname.replace(/\/+$/, '');
  if (system === '' || system === '/redfish/v1') return { origin: url.origin };
  if (!/^\/redfish\/v1\/Systems\/[^/]+$/.test(system))
    return { fault: 'has a path that is not one of /redfish/v1/Systems/' };
  return { origin: url.origin, system };
}

function urlOf(text: string): URL | undefined {
  const isBareV6 = isIP(text) === 6;
  const written = vendorScheme.test(text)
    ? text.replace(vendorScheme, (_all, scheme: string | undefined) => `${scheme ?? 'https'}://`)
    : text.includes('://')
      ? text
      : `https://${isBareV6 ? `[${text}]` : text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  return url !== undefined && ['https:', 'http:'].includes(url.protocol) ? url : undefined;
}
