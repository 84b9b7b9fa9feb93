import { commentedSnoConfig } from '../../config/commented-sno-config.js';
import { isPlaceholder } from '../../config/placeholder.js';
import { readInstallConfig } from '../../config/reading/install-config.js';
import { readSnoConfig } from '../../config/reading/sno-config.js';
import { familyOf, staticNetwork, type StaticNetwork } from '../../config/static-network.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { cachedInputs } from '../../disk/read-inputs.js';
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
  const nodeIp = given.nodeIp ?? addressOfNode(given.address, options);
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
    wrongOptions: [
      ...diskProblems(given, options),
      ...(await recipientProblems(
        given.recipient.map((text, index) => ({ text, place: `--recipient ${index + 1}` })),
      )),
    ],
    open: ({ localDns, nodeIp }) => (localDns === true && nodeIp === undefined ? ['nodeIP'] : undefined),
  });
}

/** The static address in the family of the first service network, which determines that of node addresses. */
function addressOfNode(addresses: readonly string[], { dir }: GlobalOptions): string | undefined {
  const networking = readInstallConfig(cachedInputs(dir, {})).draft?.config.networking;
  const family = familyOf(networking?.serviceNetwork[0] ?? '');
  return (addresses.find((each) => familyOf(each) === family) ?? addresses[0])?.split('/')[0];
}

/** A disk that install-config.yaml names too. */
function diskProblems({ diskSerial }: SnoConfigOptions, { dir }: GlobalOptions): readonly Problem[] {
  const install = readInstallConfig(cachedInputs(dir, {})).draft?.config;
  const disk = install?.bootstrapInPlace?.installationDisk;
  if (diskSerial === undefined || disk === undefined || isPlaceholder(disk)) return [];
  const message = '--disk-serial: install-config.yaml names the disk already, in bootstrapInPlace';
  const hint = 'remove bootstrapInPlace from install-config.yaml, or leave out --disk-serial';
  return [problem('config/given-twice', message, { hint })];
}

type Answers = SnoConfigOptions & { readonly network?: StaticNetwork };

/** The static network of the options. Problems: usage/unknown-argument, usage/conflicting-options. */
function networkOf(given: SnoConfigOptions): Result<StaticNetwork | undefined> {
  const { address, gateway, dnsServer, interface: link, bond, bondMode, bondOption, vlan } = given;
  const wrong = (message: string): Result<never> =>
    failure(
      problem('usage/unknown-argument', message, {
        hint: 'try --address 192.168.126.10/24 --gateway 192.168.126.1 --interface eno1',
      }),
    );
  const others = { gateway: gateway[0], interface: link, bond, vlan, 'dns-server': dnsServer[0] };
  if (address.length === 0) {
    const [first] = Object.entries(others).filter(([, value]) => value !== undefined);
    return first === undefined ? success(undefined) : wrong(`--${first[0]} requires --address`);
  }
  if (link !== undefined && bond !== undefined) {
    const message = '--interface and --bond cannot be combined';
    return failure(problem('usage/conflicting-options', message, { hint: 'remove one of them' }));
  }
  if (bondMode !== undefined && bond === undefined) return wrong('--bond-mode requires --bond');
  if (bondOption !== undefined && bond === undefined) return wrong('--bond-option requires --bond');
  const alone = gateway.find((each) => !address.some((own) => familyOf(own) === familyOf(each)));
  if (alone !== undefined && familyOf(alone) !== undefined)
    return wrong(`--gateway ${alone} has no --address of ${familyOf(alone)}`);
  const device = link ?? (bond && { ...bond, mode: bondMode ?? 'active-backup', options: bondOption ?? {} });
  if (device === undefined) return wrong('--address requires --interface or --bond');
  return success({
    addresses: address,
    link: device,
    dnsServers: dnsServer,
    gateways: gateway,
    ...(vlan !== undefined && { vlan }),
  });
}

function valuesOf({
  hostname,
  nodeIp,
  releaseImage,
  releaseVersion,
  ntpSource,
  localDns,
  diskSerial,
  destKarg,
  recipient,
  network,
}: Answers): Parameters<typeof commentedSnoConfig>[0] {
  // Local DNS requires the node's address.
  const nodeIP = nodeIp ?? (localDns === true ? '<address of the node>' : undefined);
  return {
    ...(hostname !== undefined && { hostname }),
    ...(nodeIP !== undefined && { nodeIP }),
    ...(releaseImage !== undefined && { releaseImage }),
    ...(releaseVersion !== undefined && { releaseVersion }),
    ...(ntpSource.length > 0 && { ntpSources: ntpSource }),
    ...(localDns === true && { dns: { local: true } }),
    ...(network !== undefined && { network: staticNetwork(network) }),
    ...(diskSerial !== undefined && { rootDeviceHints: { serialNumber: diskSerial } }),
    ...(destKarg.length > 0 && { kernelArguments: destKarg }),
    ...(recipient.length > 0 && { state: { recipients: recipient } }),
  };
}

const fields: Fields<Answers> = [
  ['hostname', '--hostname', 'hostname'],
  ['nodeIp', '--node-ip', 'nodeIP'],
  ['releaseImage', '--release-image', 'releaseImage'],
  ['releaseVersion', '--release-version', 'releaseVersion'],
  ['ntpSource', '--ntp-source', 'ntpSources'],
  ['diskSerial', '--disk-serial', 'rootDeviceHints'],
  ['destKarg', '--dest-karg', 'kernelArguments'],
  ['gateway', '--gateway', 'network.routes'],
  ['dnsServer', '--dns-server', 'network.dns-resolver'],
  ['bondMode', '--bond-mode', /^network\.interfaces.*\.link-aggregation\.mode/],
  ['bondOption', '--bond-option', /^network\.interfaces.*\.link-aggregation\.options/],
  ['bond', '--bond', /^network\.interfaces.*\.link-aggregation/],
  ['vlan', '--vlan', /^network\.interfaces.*\.vlan\./],
  ['address', '--address', 'network'],
];
