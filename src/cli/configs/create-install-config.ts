import { commentedInstallConfig } from '../../config/commented-install-config.js';
import { readInstallConfig } from '../../config/reading/install-config.js';
import { readSnoConfig } from '../../config/reading/sno-config.js';
import { problem, type Problem } from '../../core/problem.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { readNamedValue } from '../../disk/named-file.js';
import { homePath, firstFileInHome } from '../../disk/home.js';
import type { GlobalOptions, InstallConfigOptions } from '../options.js';
import { report } from '../output/report.js';
import { writeNewConfig, type Fields, type NewConfig } from './new-config.js';

/** Writes a commented install-config.yaml. Values come from options, then from prompts; the rest are examples. */
export async function createInstallConfig(
  given: InstallConfigOptions,
  options: GlobalOptions,
): Promise<void> {
  const files = readFiles(given);
  if (!files.ok) {
    report(options, { problems: files.problems });
    return;
  }
  const hasHints = hasDiskHints(options);
  await writeNewConfig<Answers>(options, {
    file: 'install-config.yaml',
    given: { ...given, ...files.value },
    questions: questions().filter(({ option }) => !hasHints || option !== 'installationDisk'),
    fields: [...required, ...optional],
    textOf: commentedInstallConfig,
    check: (inputs) => readInstallConfig(inputs).problems,
    wrongOptions: hasHints && given.installationDisk !== undefined ? [diskTwice()] : [],
    open: (answers) =>
      required
        .filter(([name]) => answers[name] === undefined && !(hasHints && name === 'installationDisk'))
        .flatMap(([, , field]) => (typeof field === 'string' ? field : [])),
  });
}

/** Whether sno-config.yaml describes the installation disk. */
function hasDiskHints({ dir }: GlobalOptions): boolean {
  return readSnoConfig(cachedInputs(dir, {}), undefined).input.rootDeviceHints !== undefined;
}

function diskTwice(): Problem {
  const message =
    '--installation-disk: sno-config.yaml describes the installation disk already, in rootDeviceHints';
  const hint = 'remove rootDeviceHints from sno-config.yaml, or leave out --installation-disk';
  return problem('config/given-twice', message, { hint });
}

type Answers = InstallConfigOptions & FileValues;

interface FileValues {
  readonly sshKey?: string;
  readonly pullSecret?: string;
  readonly additionalTrustBundle?: string;
}

function readFiles(given: InstallConfigOptions): Result<FileValues> {
  const files = [
    ['sshKey', '--ssh-key-file', given.sshKeyFile],
    ['pullSecret', '--pull-secret-file', given.pullSecretFile],
    ['additionalTrustBundle', '--additional-trust-bundle-file', given.additionalTrustBundleFile],
  ] as const;
  const values: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [name, option, path] of files) {
    if (path === undefined) continue;
    const read = readNamedValue(option, path);
    problems.push(...problemsOf(read));
    if (read.ok) values[name] = name === 'pullSecret' ? read.value.trim() : read.value;
  }
  return problems.length > 0 ? { ok: false, problems } : success(values);
}

const later = '(Enter to fill it in later)';

function questions(): NewConfig<Answers>['questions'] {
  const key = firstFileInHome(['.ssh/id_ed25519.pub', '.ssh/id_rsa.pub']);
  return [
    { option: 'name', text: `Cluster name ${later}` },
    { option: 'baseDomain', text: `Base domain ${later}` },
    {
      option: 'machineNetwork',
      text: `Network of the node, such as 192.168.1.0/24 ${later}`,
      read: (answer) => success({ machineNetwork: [answer] }),
    },
    { option: 'installationDisk', text: `Installation disk (all data on it is lost) ${later}` },
    {
      option: 'pullSecret',
      text: `Pull secret: path of the file, or paste it ${later}`,
      read: (answer) => {
        if (answer.startsWith('{')) return success({ pullSecret: answer });
        const read = readNamedValue('pull secret', homePath(answer));
        return read.ok ? success({ pullSecret: read.value.trim() }) : read;
      },
    },
    {
      option: 'sshKey',
      text:
        key === undefined
          ? `SSH public key: path of the file ${later}`
          : `SSH public key: path of the file (Enter for ${key}, - to fill it in later)`,
      ...(key !== undefined && { standard: key }),
      read: (answer) => {
        const read = readNamedValue('SSH public key', homePath(answer));
        return read.ok ? success({ sshKey: read.value }) : read;
      },
    },
  ];
}

const required: Fields<Answers> = [
  ['name', '--name', 'metadata.name'],
  ['baseDomain', '--base-domain', 'baseDomain'],
  ['machineNetwork', '--machine-network', 'networking.machineNetwork'],
  ['installationDisk', '--installation-disk', 'bootstrapInPlace.installationDisk'],
  ['pullSecret', '--pull-secret-file', 'pullSecret'],
  ['sshKey', '--ssh-key-file', 'sshKey'],
];

const optional: Fields<Answers> = [
  ['clusterNetwork', '--cluster-network', 'networking.clusterNetwork'],
  ['serviceNetwork', '--service-network', 'networking.serviceNetwork'],
  ['httpProxy', '--http-proxy', 'proxy.httpProxy'],
  ['httpsProxy', '--https-proxy', 'proxy.httpsProxy'],
  ['noProxy', '--no-proxy', 'proxy.noProxy'],
  ['additionalTrustBundle', '--additional-trust-bundle-file', 'additionalTrustBundle'],
  ['mirror', '--mirror', 'imageDigestSources'],
];
