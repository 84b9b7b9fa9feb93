import type { Machine } from '../../real/control-plane/support/machine.js';

const router = '192.168.126.1';

/** Path of the NetworkManager keyfile that the configured network becomes. */
export const keyfilePath = '/etc/NetworkManager/system-connections/eth0.nmconnection';

/** The `network` section of sno-config.yaml. It has no DNS server: the machine resolves names from /etc/hosts. */
export function networkText(address: string): string {
  return `network:
  interfaces:
    - name: eth0
      type: ethernet
      ipv4: { enabled: true, address: [{ ip: ${address}, prefix-length: 24 }] }
      ipv6: { enabled: false }
  routes:
    config:
      - { destination: 0.0.0.0/0, next-hop-address: ${router}, next-hop-interface: eth0 }`;
}

/** The state of eth0 on a machine. */
export interface NetworkState {
  /** Path of the active NetworkManager profile. */
  readonly profile: string | undefined;
  readonly addresses: readonly string[];
  /** Gateway of the default route. */
  readonly router: string | undefined;
}

/** The expected state if the configured network is applied. */
export function expectedNetworkState(address: string): NetworkState {
  return { profile: keyfilePath, addresses: [`${address}/24`], router };
}

type Links = readonly {
  readonly addr_info: readonly { readonly local: string; readonly prefixlen: number }[];
}[];
type Routes = readonly { readonly gateway?: string }[];

/** Reads the state of eth0 from the kernel and NetworkManager. */
export async function readNetworkState(machine: Machine): Promise<NetworkState> {
  const ip = (...what: readonly string[]): Promise<string> => machine.exec(['ip', '-json', ...what]);
  const links = JSON.parse(await ip('address', 'show', 'dev', 'eth0')) as Links;
  const routes = JSON.parse(await ip('route', 'show', 'default')) as Routes;
  const active = ['connection', 'show', '--active'];
  const nmcli = ['nmcli', '--terse', '--escape', 'no', '--fields', 'FILENAME,DEVICE', ...active];
  const profiles = (await machine.exec(nmcli)).split('\n');
  return {
    profile: profiles.find((line) => line.endsWith(':eth0'))?.replace(/:eth0$/, ''),
    addresses: links.flatMap(({ addr_info: infos }) =>
      infos.map(({ local, prefixlen }) => `${local}/${prefixlen}`),
    ),
    router: routes[0]?.gateway,
  };
}
