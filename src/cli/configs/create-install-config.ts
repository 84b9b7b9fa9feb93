import { constants } from 'node:os';

import { commentedInstallConfig } from '../../config/commented-install-config.js';
import { readInstallConfig } from '../../config/reading/install-config.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { readNamedValue } from '../../disk/named-file.js';
import type { GlobalOptions, InstallConfigOptions } from '../options.js';
import { report } from '../output/report.js';
import { inputsWith, writeNewConfig } from './new-config.js';
import { promptForValues } from './prompts.js';

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
  const told = await promptForValues(given, questions, options);
  if (told === undefined) {
    process.exitCode = 128 + constants.signals.SIGINT;
    return;
  }
  const answers = { ...told, ...files.value };
  const text = commentedInstallConfig(answers);
  const { problems } = readInstallConfig(inputsWith(options.dir, file, text));
  const known = fields.filter(([name]) => answers[name] !== undefined);
  writeNewConfig(options, {
    file,
    text,
    problems,
    given: known.map(([, option, field]) => [option, field]),
    open: fields.filter((each) => !known.includes(each)).map(([, , field]) => field),
  });
}

const file = 'install-config.yaml';

interface NamedFiles {
  readonly sshKey?: string;
  readonly pullSecret?: string;
}

function readFiles({ sshKeyFile, pullSecretFile }: InstallConfigOptions): Result<NamedFiles> {
  const sshKey = sshKeyFile === undefined ? success(undefined) : readNamedValue('--ssh-key-file', sshKeyFile);
  const pullSecret =
    pullSecretFile === undefined ? success(undefined) : readNamedValue('--pull-secret-file', pullSecretFile);
  if (!sshKey.ok || !pullSecret.ok) {
    const problems: readonly Problem[] = [...problemsOf(sshKey), ...problemsOf(pullSecret)];
    return { ok: false, problems };
  }
  return success({
    ...(sshKey.value !== undefined && { sshKey: sshKey.value }),
    ...(pullSecret.value !== undefined && { pullSecret: pullSecret.value.trim() }),
  });
}

const later = '(Enter to fill it in later)';

const questions = [
  ['name', `Cluster name ${later}`],
  ['baseDomain', `Base domain ${later}`],
  ['machineNetwork', `Network of the node ${later}`],
  ['installationDisk', `Installation disk (all data on it is lost) ${later}`],
] as const;

/** Name, option and target field of each value. */
const fields = [
  ['name', '--name', 'metadata.name'],
  ['baseDomain', '--base-domain', 'baseDomain'],
  ['machineNetwork', '--machine-network', 'networking.machineNetwork'],
  ['installationDisk', '--installation-disk', 'bootstrapInPlace.installationDisk'],
  ['pullSecret', '--pull-secret-file', 'pullSecret'],
  ['sshKey', '--ssh-key-file', 'sshKey'],
] as const;
