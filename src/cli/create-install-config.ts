import { constants } from 'node:os';
import { join } from 'node:path';

import { commentedInstallConfig, type InstallConfigAnswers } from '../config/commented-install-config.js';
import { readInstallConfig } from '../config/reading/install-config.js';
import { isError, problem, type Problem } from '../core/problem.js';
import { problemsOf, success, type Result } from '../core/result.js';
import { readNamedText } from '../disk/named-file.js';
import { writeNewFile } from '../disk/new-file.js';
import type { Inputs } from '../graph/context.js';
import type { GlobalOptions, InstallConfigOptions } from './options.js';
import { report } from './output/report.js';
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
  if (told === undefined) {
    process.exitCode = 128 + constants.signals.SIGINT;
    return;
  }
  const text = commentedInstallConfig({ ...told, ...files.value });
  const found = problemsOfGiven(text, { ...told, ...files.value });
  if (found.some(isError)) {
    report(options, { problems: found });
    return;
  }
  const path = join(options.dir, 'install-config.yaml');
  const written = writeNewFile(path, text);
  report(options, {
    problems: [...found, ...problemsOf(written)],
    text: `Wrote ${path}.\n${toFillIn(told, files.value)}\nNext: \`sno-install validate --dir ${shellWord(options.dir)}\`.\n`,
    json: { path },
  });
}

interface NamedFiles {
  readonly sshKey?: string;
  readonly pullSecret?: string;
}

function readFiles({ sshKeyFile, pullSecretFile }: InstallConfigOptions): Result<NamedFiles> {
  const sshKey = sshKeyFile === undefined ? success(undefined) : readNamedText('--ssh-key-file', sshKeyFile);
  const pullSecret =
    pullSecretFile === undefined ? success(undefined) : readNamedText('--pull-secret-file', pullSecretFile);
  if (!sshKey.ok || !pullSecret.ok) {
    const problems: readonly Problem[] = [...problemsOf(sshKey), ...problemsOf(pullSecret)];
    return { ok: false, problems };
  }
  return success({
    ...(sshKey.value !== undefined && { sshKey: sshKey.value }),
    ...(pullSecret.value !== undefined && { pullSecret: pullSecret.value.trim() }),
  });
}

/** What is wrong with what was given, at the option that gave it; what is left to fill in is not looked at. */
function problemsOfGiven(text: string, given: InstallConfigAnswers): readonly Problem[] {
  const inputs: Inputs = {
    read: () => ({ kind: 'file', bytes: Buffer.from(text) }),
    digest: () => ({ kind: 'absent' }),
    list: () => undefined,
    written: () => undefined,
    writtenPaths: () => [],
  };
  return readInstallConfig(inputs).problems.flatMap(({ code, message, hint, at }) => {
    const field = keysOf(optionOf).find((each) => at?.path?.startsWith(fieldOf[each]) === true);
    if (field === undefined || given[field] === undefined) return [];
    return [problem(code, `${optionOf[field]}: ${message}`, { hint })];
  });
}

function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table);
}

const questions = [
  ['name', 'Name of the cluster'],
  ['baseDomain', 'Base domain'],
  ['machineNetwork', 'Network of the node'],
  ['installationDisk', 'Disk to install to (everything on it is lost)'],
] as const;

/**
 * Asks for what no option gave; an empty answer leaves it to be filled in, and Ctrl-D all that is left. Undefined after Ctrl-C.
 * Questions go to stderr.
 */
async function ask(given: InstallConfigOptions): Promise<InstallConfigOptions | undefined> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => {
    stop.abort();
    terminal.close();
  });
  // Keeps lines that are typed or pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  let told = given;
  for (const [option, question] of questions) {
    if (told[option] !== undefined) continue;
    terminal.setPrompt(`${question} (Enter to fill it in later): `);
    terminal.prompt();
    const line = await lines.next();
    if (line.done === true) {
      process.stderr.write('\n');
      break;
    }
    const answer = line.value.trim();
    if (answer !== '') told = { ...told, [option]: answer };
  }
  terminal.close();
  return stop.signal.aborted ? undefined : told;
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
  pullSecret: 'pullSecret',
  sshKey: 'sshKey',
} as const;

const optionOf = {
  name: '--name',
  baseDomain: '--base-domain',
  machineNetwork: '--machine-network',
  installationDisk: '--installation-disk',
  pullSecret: '--pull-secret-file',
  sshKey: '--ssh-key-file',
} as const;
