import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { exitCodes } from '../../src/cli/output/exit-codes.js';
import { snoHere } from './in-process.js';
import { minimalInstallConfig } from './minimal-config.js';
import { configCommands, secretCommands, type CommandInput } from './secret-commands.js';
import { secretInputs } from './secret-inputs.js';
import { throwawayState } from './throwaway-state.js';

/** Every input with the commands it is for, by what holds the secret. */
export interface SecretCorpus {
  readonly groups: Readonly<Record<string, readonly CommandInput[]>>;
  /** The text of a state file that holds the draws of both targets, so that no key is drawn. */
  readonly state: string;
}

export async function secretCorpus(): Promise<SecretCorpus> {
  const files = { 'install-config.yaml': minimalInstallConfig };
  const aio = JSON.parse(await throwawayState(files, {}, 'aio-ignition')) as {
    readonly draws: Readonly<Record<string, string>>;
  };
  const state = await throwawayState(files, aio.draws);
  const configs = Object.values(secretInputs)
    .flat()
    .map((input) => ({ ...input, commands: configCommands }));
  return { groups: { 'a config': configs, ...secretCommands(state) }, state };
}

/** So many of a list, spread over it without a rhythm: steps of the golden ratio meet every kind of a regular list. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  const indexes = Array.from({ length: Math.min(count, list.length) }, (_, step) =>
    count >= list.length ? step : Math.floor(((step * 0.618_033_988_749_895) % 1) * list.length),
  );
  return [...new Set(indexes)].flatMap((index) => list.slice(index, index + 1));
}

/**
 * Runs each command in each form, at the level that says most, in a directory that holds the input and nothing of the run before.
 * Returns how many runs there were, and what printed a canary or was a bug of ours, as texts to read.
 */
export async function leaksOfCommands(
  inputs: readonly CommandInput[],
  state: string,
): Promise<{ readonly runs: number; readonly leaks: readonly string[] }> {
  const leaks: string[] = [];
  let runs = 0;
  for (const input of inputs) {
    for (const command of input.commands) {
      for (const form of command[0] === 'enrich' ? ['file'] : ['text', 'json']) {
        runs += 1;
        leaks.push(...(await leakOf(input, { command, form, state })));
      }
    }
  }
  return { runs, leaks };
}

interface Once {
  readonly command: readonly string[];
  readonly form: string;
  readonly state: string;
}

async function leakOf(input: CommandInput, { command, form, state }: Once): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'sno-install-test-'));
  try {
    for (const [path, text] of Object.entries({ '.sno-install-state.json': state, ...input.files })) {
      mkdirSync(dirname(join(dir, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(dir, path), text, { mode: 0o600 });
    }
    const args = command.map((word) => word.replaceAll('DIR', dir));
    const output = form === 'file' ? join(dir, 'out.ign') : form;
    const options = ['--dir', dir, '--log-level', 'debug', '--output', output];
    const { code, stdout, stderr } = await snoHere([...args, ...options]);
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
