import type { Machine } from '../../real/control-plane/support/machine.js';

const router = '192.168.126.1';

/** Where the file comes to lie that the described network becomes. */
export const keyfilePath = '/etc/NetworkManager/system-connections/eth0.nmconnection';

/** `network` of sno-config.yaml. There is no name server to name: names of the machine are in its /etc/hosts. */
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

/** What became of eth0 on a machine. */
export interface BroughtUp {
  /** The file of the profile that NetworkManager has active there. */
  readonly profile: string | undefined;
  readonly addresses: readonly string[];
  /** Of the default route. */
  readonly router: string | undefined;
}

/** What has become of it where the description holds. */
export function broughtUp(address: string): BroughtUp {
  return { profile: keyfilePath, addresses: [`${address}/24`], router };
}

type Links = readonly {
  readonly addr_info: readonly { readonly local: string; readonly prefixlen: number }[];
}[];
type Routes = readonly { readonly gateway?: string }[];

/** What the kernel and NetworkManager say of eth0. */
export async function networkOf(machine: Machine): Promise<BroughtUp> {
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
