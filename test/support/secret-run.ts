import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { exitCodes } from '../../src/cli/output/exit-codes.js';
import { encryptedFile } from './age-keys.js';
import { snoInProcess } from './in-process.js';
import { minimalInstallConfig } from './minimal-config.js';
import { configCommands, secretCommands, type CommandInput } from './secret-commands.js';
import { secretInputs, type SecretInput } from './secret-inputs.js';
import { spread } from './spread.js';
import { throwawayState } from './throwaway-state.js';

/** Inputs with their commands, by the kind of file that contains the secret. */
export interface SecretCorpus {
  readonly groups: Readonly<Record<string, readonly CommandInput[]>>;
  /** A state file with the generated values of both targets, so that no keys are generated. */
  readonly state: string;
}

/** Number of inputs per group that the `machines` tests run. */
const counts: Readonly<Record<string, number>> = {
  'a config': 320,
  'a state file': 40,
  'a state file that is named': 120,
  'the plan of a run that died': 75,
  'a kubeconfig': 300,
  'the config of the master': 120,
  'a manifest of the live system': 75,
  'an edited manifest': 30,
  'a receipt': 240,
  'a file of tokens': 75,
  'a bundle': 116,
  'a fleet': 100,
  'a fleet that is made': 13,
  'the boot of a fleet': 60,
  'an import': 200,
  'the command line': 15,
};

export const secretGroups: readonly string[] = Object.keys(counts);

export async function secretCorpus(): Promise<SecretCorpus> {
  const files = { 'install-config.yaml': minimalInstallConfig };
  const aio = JSON.parse(await throwawayState(files, {}, 'aio-ignition')) as {
    readonly generatedValues: Readonly<Record<string, string>>;
  };
  const state = await throwawayState(files, aio.generatedValues);
  // The standard input of the test process is not available.
  const configs = Object.values(secretInputs)
    .flat()
    .filter(({ stdin }: SecretInput) => stdin === undefined)
    .map((input) => ({ ...input, commands: configCommands }));
  const groups = { 'a config': configs, ...secretCommands(state) };
  const chosen = Object.entries(groups).map(
    ([group, inputs]) => [group, spread(inputs, counts[group] ?? 0)] as const,
  );
  return { groups: Object.fromEntries(chosen), state };
}

function formsOf(command: readonly string[]): readonly string[] {
  return command[0] === 'enrich' ? ['file'] : ['text', 'json'];
}

/**
 * Runs each command in each output format, with the most verbose log level, in a directory with only the input.
 * Returns the outputs that contain a canary or an internal error, as readable texts.
 */
export async function leaksOfCommands(
  inputs: readonly CommandInput[],
  state: string,
): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const input of inputs) {
    for (const command of input.commands) {
      for (const form of formsOf(command)) leaks.push(...(await leakOf(input, { command, form, state })));
    }
  }
  return leaks;
}

interface Once {
  readonly command: readonly string[];
  readonly form: string;
  readonly state: string;
}

async function leakOf(input: CommandInput, { command, form, state }: Once): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'sno-install-test-'));
  try {
    const files = { '.sno-install-state.json': state, 'encrypted.json': encryptedFile, ...input.files };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(dir, path), text, { mode: 0o600 });
    }
    const args = command.map((word) => word.replaceAll('DIR', dir));
    const output = form === 'file' ? join(dir, 'out.ign') : form;
    const options = ['--dir', dir, '--log-level', 'debug', '--output', output];
    const { code, stdout, stderr } = await snoInProcess([...args, ...options], {
      variables: input.variables ?? {},
    });
    const printed = `${stdout}${stderr}`;
    const canary = input.canaries.find((each) => printed.includes(each));
    if (canary === undefined && code !== exitCodes.bug) return [];
    const at = Math.max(0, printed.indexOf(canary ?? '') - 200);
    const line = command.join(' ').slice(0, 60);
    return [`${input.name}: \`${line}\` with ${form} ends with ${code}: ${printed.slice(at, at + 300)}`];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
