import { isIP } from 'node:net';

/** Address of a BMC, and of one of its systems. */
export interface BmcAddress {
  /** `https://host:port`; `http:` only if the user wrote it. */
  readonly origin: string;
  /** Path of a ComputerSystem, such as `/redfish/v1/Systems/1`. Absent if the BMC has only one. */
  readonly system?: string;
  /** The scheme names an iDRAC. */
  readonly isIdrac?: true;
}

/** Whether two addresses may refer to the same machine. An address without a system means the only system of its BMC. */
export function isSameMachine(left: BmcAddress, right: BmcAddress): boolean {
  const isNamed = left.system !== undefined && right.system !== undefined;
  return left.origin === right.origin && (!isNamed || left.system === right.system);
}

/** Redfish schemes of metal3. Source: metal3-io/baremetal-operator, docs/api.md, "bmc.address" */
const vendorScheme =
  /^(?:redfish|redfish-virtualmedia|ilo5-redfish|ilo5-virtualmedia|idrac-redfish|idrac-virtualmedia)(?:\+(https?))?:\/\//i;

/** Schemes of metal3 for other protocols. */
const otherScheme = /^(?:ipmi|libvirt|idrac|ilo4|ilo4-virtualmedia|ilo5|irmc)(?:\+https?)?:\/\//i;

/**
 * Parses a BMC address in the format of metal3 (`idrac-virtualmedia://host/redfish/v1/Systems/1`), a URL, or a host name.
 * A fault is the end of a sentence. It does not quote the address, which may contain a password.
 */
export function parseBmcAddress(text: string): BmcAddress | { readonly fault: string } {
  const other = otherScheme.exec(text);
  if (other) return { fault: `uses a protocol without Redfish virtual media (${other[0]})` };
  const url = urlOf(text);
  if (url === undefined) return { fault: 'is not a valid BMC address' };
  if (url.username !== '' || url.password !== '') return { fault: 'contains a user name or password' };
  if (url.search !== '' || url.hash !== '') return { fault: 'contains a query or fragment' };
  const system = url.pathname.replace(/\/+$/, '');
  const idrac = /^idrac-/i.test(text) && ({ isIdrac: true } as const);
  if (system === '' || system === '/redfish/v1') return { origin: url.origin, ...idrac };
  if (!/^\/redfish\/v1\/Systems\/[^/]+$/.test(system))
    return { fault: 'has a path other than /redfish/v1/Systems/…' };
  return { origin: url.origin, system, ...idrac };
}

function urlOf(text: string): URL | undefined {
  const isUnbracketedV6 = isIP(text) === 6;
  const written = vendorScheme.test(text)
    ? text.replace(vendorScheme, (_all, scheme: string | undefined) => `${scheme ?? 'https'}://`)
    : text.includes('://')
      ? text
      : `https://${isUnbracketedV6 ? `[${text}]` : text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  return url !== undefined && ['https:', 'http:'].includes(url.protocol) ? url : undefined;
}
