import { commentedSnoConfig } from '../../config/commented-sno-config.js';
import { readInstallConfig } from '../../config/reading/install-config.js';
import { readSnoConfig } from '../../config/reading/sno-config.js';
import { staticNetwork, type StaticNetwork } from '../../config/static-network.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { recipientProblems } from '../../disk/state/named-keys.js';
import type { GlobalOptions, SnoConfigOptions } from '../options.js';
import { report } from '../output/report.js';
import { writeNewConfig, type Fields } from './new-config.js';

/** Writes a commented sno-config.yaml. Values come from options, then from prompts; the rest is commented out. */
export async function createSnoConfig(given: SnoConfigOptions, options: GlobalOptions): Promise<void> {
  const network = networkOf(given);
  if (!network.ok) {
    report(options, { problems: network.problems });
    return;
  }
  // The static address is the node's address.
  const nodeIp = given.nodeIp ?? given.address?.split('/')[0];
  await writeNewConfig<Answers>(options, {
    file: 'sno-config.yaml',
    given: {
      ...given,
      ...(nodeIp !== undefined && { nodeIp }),
      ...(network.value !== undefined && { network: network.value }),
    },
    questions: [
      { option: 'hostname', text: 'Host name of the node (Enter: from DHCP or DNS)' },
      { option: 'nodeIp', text: 'Address of the node (Enter: its first address in a machine network)' },
    ],
    fields,
    textOf: (answers) => commentedSnoConfig(valuesOf(answers)),
    check: (inputs) => readSnoConfig(inputs, readInstallConfig(inputs).draft).problems,
    wrongOptions: await recipientProblems(
      given.recipient.map((text, index) => ({ text, place: `--recipient ${index + 1}` })),
    ),
    open: ({ localDns, nodeIp }) => (localDns === true && nodeIp === undefined ? ['nodeIP'] : undefined),
  });
}

type Answers = SnoConfigOptions & { readonly network?: StaticNetwork };

/** The static network of the options. Problems: usage/unknown-argument, usage/conflicting-options. */
function networkOf(given: SnoConfigOptions): Result<StaticNetwork | undefined> {
  const { address, gateway, dnsServer, interface: link, bond, bondMode, vlan } = given;
  const wrong = (message: string): Result<never> =>
    failure(
      problem('usage/unknown-argument', message, {
        hint: 'try --address 192.168.126.10/24 --gateway 192.168.126.1 --interface eno1',
      }),
    );
  const others = { gateway, interface: link, bond, vlan, 'dns-server': dnsServer[0] };
  if (address === undefined) {
    const [first] = Object.entries(others).filter(([, value]) => value !== undefined);
    return first === undefined ? success(undefined) : wrong(`--${first[0]} requires --address`);
  }
  if (link !== undefined && bond !== undefined) {
    const message = '--interface and --bond cannot be combined';
    return failure(problem('usage/conflicting-options', message, { hint: 'remove one of them' }));
  }
  if (bondMode !== undefined && bond === undefined) return wrong('--bond-mode requires --bond');
  const device = link ?? (bond && { ...bond, mode: bondMode ?? 'active-backup' });
  if (device === undefined) return wrong('--address requires --interface or --bond');
  return success({
    address,
    link: device,
    dnsServers: dnsServer,
    ...(gateway !== undefined && { gateway }),
    ...(vlan !== undefined && { vlan }),
  });
}

function valuesOf({
  hostname,
  nodeIp,
  releaseImage,
  ntpSource,
  localDns,
  recipient,
  network,
}: Answers): Parameters<typeof commentedSnoConfig>[0] {
  // Local DNS requires the node's address.
  const nodeIP = nodeIp ?? (localDns === true ? '<address of the node>' : undefined);
  return {
    ...(hostname !== undefined && { hostname }),
    ...(nodeIP !== undefined && { nodeIP }),
    ...(releaseImage !== undefined && { releaseImage }),
    ...(ntpSource.length > 0 && { ntpSources: ntpSource }),
    ...(localDns === true && { dns: { local: true } }),
    ...(network !== undefined && { network: staticNetwork(network) }),
    ...(recipient.length > 0 && { state: { recipients: recipient } }),
  };
}

const fields: Fields<Answers> = [
  ['hostname', '--hostname', 'hostname'],
  ['nodeIp', '--node-ip', 'nodeIP'],
  ['releaseImage', '--release-image', 'releaseImage'],
  ['ntpSource', '--ntp-source', 'ntpSources'],
  ['gateway', '--gateway', 'network.routes'],
  ['dnsServer', '--dns-server', 'network.dns-resolver'],
  ['address', '--address', 'network'],
];
