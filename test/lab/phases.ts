import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Machine } from '../real/control-plane/support/machine.js';
import { bootLive, bootNode, applyIgnition, type Lab } from './lab.js';
import { simulateOperators, type Verdict } from './operators/operators.js';

/** A phase that has ended, successfully or not. The root of its machine is kept. */
export interface Phase {
  readonly root: string;
  /** Start of the boot and end of the phase, in milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Every distinct text shown above the login prompt. */
  readonly console: readonly string[];
}

/** Thrown for a failed phase. Contains the results so far. */
export class PhaseError extends Error {
  constructor(
    message: string,
    readonly phase: Phase,
  ) {
    super(message);
  }
}

export interface RunOptions {
  /** Ends the phase when it returns true. Called twice a second. */
  readonly until: (machine: Machine, root: string) => boolean | Promise<boolean>;
  readonly limitMs: number;
  readonly beside?: (machine: Machine, root: string) => Promise<void>;
  /** Runs after a successful phase, before the machine is stopped. */
  readonly finally?: ((machine: Machine) => Promise<void>) | undefined;
}

/** Runs the live system until the disk is written and the reboot is due. */
export async function runLive(
  lab: Lab,
  prepare?: (root: string) => void,
  atEnd?: RunOptions['finally'],
): Promise<Phase> {
  const root = applyIgnition(lab, 'live', lab.site.liveConfig);
  prepare?.(root);
  return watch(await bootLive(lab, root), root, {
    until: () => existsSync(join(root, 'opt/openshift/.install-to-disk.done')),
    limitMs: 15 * 60_000,
    finally: atEnd,
  });
}

export interface NodeOptions {
  readonly prepare?: (root: string) => void;
  /** Called twice a second in parallel with the operators. */
  readonly beside?: (machine: Machine, root: string) => Promise<void>;
  /** Checks the finished cluster. */
  readonly finally?: (machine: Machine) => Promise<void>;
}

/** The phase of the installed node, with the findings of its operators. */
export interface NodePhase extends Phase {
  readonly verdict: Verdict;
}

/** Runs the installed node until the clean-up has finished, the post-install manifests are applied and the operators are done. */
export async function runNode(lab: Lab, config: string, options: NodeOptions = {}): Promise<NodePhase> {
  const root = applyIgnition(lab, 'node', config);
  options.prepare?.(root);
  const machine = await bootNode(lab, root);
  const operators = simulateOperators(lab, machine, root);
  const phase = await watch(machine, root, {
    until: () => ['openshift', 'sno-post-install'].every((name) => !existsSync(join(root, 'opt', name))),
    limitMs: 15 * 60_000,
    beside: async () => {
      await options.beside?.(machine, root);
      await operators.look();
    },
    finally: async () => {
      await operators.settle();
      await options.finally?.(machine);
    },
  });
  return { ...phase, verdict: operators.verdict() };
}

/** Follows a machine until its phase ends, then stops it. Throws a PhaseError with the machine's output on timeout. */
export async function watch(machine: Machine, root: string, options: RunOptions): Promise<Phase> {
  const startMs = Date.now();
  const said = new Set<string>();
  const phaseNow = (): Phase => ({ root, startMs, endMs: Date.now(), console: [...said] });
  try {
    for (;;) {
      for (const text of consoleOf(root)) said.add(text);
      if (await options.until(machine, root)) break;
      if (Date.now() - startMs > options.limitMs) throw new Error(await complaintOf(machine, said));
      await options.beside?.(machine, root);
      await pause(500);
    }
    await options.finally?.(machine);
  } catch (error) {
    throw new PhaseError(error instanceof Error ? error.message : String(error), phaseNow());
  } finally {
    await machine.run(['journalctl', '--sync']);
    await machine.stop();
  }
  return phaseNow();
}

/** The current text above the login prompt, without colors and without the progress line. */
export function consoleOf(root: string): readonly string[] {
  const folder = join(root, 'etc/issue.d');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.issue') && !name.startsWith('30_'))
    .map((name) =>
      textOf(join(folder, name))
        .replace(/\\e\{\w+\}/g, '')
        .trim(),
    );
}

/** The text of a file. Empty if it does not exist: files can vanish between two polls. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function complaintOf(machine: Machine, said: ReadonlySet<string>): Promise<string> {
  const units = ['bootkube', 'install-to-disk', 'sno-etcd-restore', 'sno-post-install', 'kubelet', 'crio'];
  const journals = await Promise.all(
    units.map(async (unit) => {
      const { stdout } = await machine.run([
        'journalctl',
        '--no-pager',
        '--lines=15',
        '--output=cat',
        '--unit',
        unit,
      ]);
      return `--- ${unit}\n${stdout}`;
    }),
  );
  return `the phase does not end. Console: ${[...said].join(' | ')}\n${journals.join('\n')}`;
}
