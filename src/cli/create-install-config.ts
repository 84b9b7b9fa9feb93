import { join } from 'node:path';

import {
  commentedInstallConfig,
  type InstallConfigAnswers,
} from '../assets/config/commented-install-config.js';
import type { Problem } from '../core/problem.js';
import { problemsOf, success, type Result } from '../core/result.js';
import { readNamedFile, writeNewFile } from '../disk/new-file.js';
import type { GlobalOptions, InstallConfigOptions } from './options.js';
import { report } from './report.js';
import { shellWord } from '../formats/shell-word.js';

/** Writes a commented install-config.yaml from options, from answers on a terminal, and from examples for the rest. */
export async function createInstallConfig(
  given: InstallConfigOptions,
  options: GlobalOptions,
): Promise<void> {
  const files = readFiles(given);
  if (!files.ok) {
    report(options, { problems: files.problems });
    return;
  }
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY && options.output === 'text';
  const told = isInteractive ? await ask(given) : given;
  const answers = answersFrom(told, files.value);
  const path = join(options.dir, 'install-config.yaml');
  const written = writeNewFile(path, commentedInstallConfig(answers));
  report(options, {
    problems: problemsOf(written),
    text: `Wrote ${path}.\n${toFillIn(told, files.value)}\nNext: \`sno-install validate --dir ${shellWord(options.dir)}\`.\n`,
    json: { path },
  });
}

interface NamedFiles {
  readonly sshKey?: string;
  readonly pullSecret?: string;
}

function readFiles({ sshKeyFile, pullSecretFile }: InstallConfigOptions): Result<NamedFiles> {
  const sshKey = sshKeyFile === undefined ? success(undefined) : readNamedFile('--ssh-key-file', sshKeyFile);
  const pullSecret =
    pullSecretFile === undefined ? success(undefined) : readNamedFile('--pull-secret-file', pullSecretFile);
  if (!sshKey.ok || !pullSecret.ok) {
    const problems: readonly Problem[] = [...problemsOf(sshKey), ...problemsOf(pullSecret)];
    return { ok: false, problems };
  }
  return success({
    ...(sshKey.value !== undefined && { sshKey: sshKey.value }),
    ...(pullSecret.value !== undefined && { pullSecret: pullSecret.value.trim() }),
  });
}

/** Stands where nothing was given; `validate` and the comments say what to put there. */
const examples = {
  name: 'sno',
  baseDomain: 'example.com',
  installationDisk: '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
  // The default of openshift-install is 10.0.0.0/16 (pkg/types/defaults); a network of 254 hosts is what a site has.
  machineNetwork: '192.168.126.0/24',
};

const questions = [
  ['name', 'Name of the cluster'],
  ['baseDomain', 'Base domain'],
  ['machineNetwork', 'Network of the node'],
  ['installationDisk', 'Disk to install to (everything on it is lost)'],
] as const;

/** Asks for what no option gave; an empty answer takes the example. Questions go to stderr. */
async function ask(given: InstallConfigOptions): Promise<InstallConfigOptions> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    let told = given;
    for (const [option, question] of questions) {
      if (told[option] !== undefined) continue;
      const answer = (await terminal.question(`${question} [${examples[option]}]: `)).trim();
      if (answer !== '') told = { ...told, [option]: answer };
    }
    return told;
  } finally {
    terminal.close();
  }
}

function answersFrom(told: InstallConfigOptions, files: NamedFiles): InstallConfigAnswers {
  const { name, baseDomain, installationDisk, machineNetwork } = { ...examples, ...told };
  return { name, baseDomain, installationDisk, machineNetwork, ...files };
}

function toFillIn(told: InstallConfigOptions, files: NamedFiles): string {
  const open = [
    ...questions.filter(([option]) => told[option] === undefined).map(([option]) => fieldOf[option]),
    ...(files.pullSecret === undefined ? ['pullSecret'] : []),
    ...(files.sshKey === undefined ? ['sshKey'] : []),
  ];
  return open.length === 0 ? 'Nothing is left to fill in.' : `Fill in: ${open.join(', ')}.`;
}

const fieldOf = {
  name: 'metadata.name',
  baseDomain: 'baseDomain',
  machineNetwork: 'networking.machineNetwork',
  installationDisk: 'bootstrapInPlace.installationDisk',
} as const;
