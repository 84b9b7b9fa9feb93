import type { Machine } from '../real/control-plane/support/machine.js';
import { waitUntil } from '../real/control-plane/support/wait-until.js';
import { consoleOf } from './phases.js';

/** What a user sees of a unit that was started and did not succeed. */
export interface Refusal {
  /** What stands above the login prompt, a line a finding. */
  readonly console: readonly string[];
  /** What the unit wrote to the journal since it was started. */
  readonly journal: readonly string[];
  /** By the clock of the machine's scripts. */
  readonly seconds: number;
}

/** Starts a unit anew and waits until it has failed once; systemd's own next try is stopped. */
export async function refusalOf(machine: Machine, root: string, unit: string): Promise<Refusal> {
  const { cursor, begun } = await startAnew(machine, unit);
  await waitUntil(
    `${unit} to fail`,
    async () => {
      const state = await machine.exec(['systemctl', 'show', '--property=SubState', '--value', unit]);
      return ['auto-restart', 'failed'].includes(state.trim()) ? state : undefined;
    },
    { tries: 400 },
  );
  // Before the journal is read, which takes long on a system that is busy.
  const seconds = (await uptimeOf(machine)) - begun;
  const refusal = await seen(machine, root, unit, cursor, begun);
  await machine.run(['systemctl', 'stop', unit]);
  return { ...refusal, seconds };
}

/** Starts a unit anew and waits for a line of its journal. */
export async function awaitLine(
  machine: Machine,
  root: string,
  unit: string,
  text: string,
): Promise<Refusal> {
  const { cursor, begun } = await startAnew(machine, unit);
  return waitUntil(
    `${unit} to say ${text}`,
    async () => {
      const now = await seen(machine, root, unit, cursor, begun);
      return now.journal.some((line) => line.includes(text)) ? now : undefined;
    },
    { tries: 400 },
  );
}

async function startAnew(
  machine: Machine,
  unit: string,
): Promise<{ readonly cursor: string; readonly begun: number }> {
  await machine.run(['systemctl', 'stop', unit]);
  await machine.run(['systemctl', 'reset-failed', unit]);
  await machine.run(['journalctl', '--sync']);
  const { stdout } = await machine.run(['journalctl', '--lines=0', '--show-cursor', '--no-pager']);
  const cursor = /cursor: (\S+)/.exec(stdout)?.[1] ?? '';
  const begun = await uptimeOf(machine);
  await machine.exec(['systemctl', 'start', '--no-block', unit]);
  return { cursor, begun };
}

async function seen(
  machine: Machine,
  root: string,
  unit: string,
  cursor: string,
  begun: number,
): Promise<Refusal> {
  await machine.run(['journalctl', '--sync']);
  const { stdout } = await machine.run([
    'journalctl',
    '--no-pager',
    '--output=cat',
    '--unit',
    unit,
    `--after-cursor=${cursor}`,
  ]);
  return {
    console: consoleOf(root).flatMap((text) => text.split('\n')),
    journal: stdout.split('\n'),
    seconds: (await uptimeOf(machine)) - begun,
  };
}

/** Seconds since boot, by the clock of the machine's scripts. */
export async function uptimeOf(machine: Machine): Promise<number> {
  return Number((await machine.exec(['cat', '/run/sno-lab/uptime'])).split(' ')[0]);
}

/** Makes the waits of a machine's scripts run out sooner. */
export async function hasten(machine: Machine, factor: number): Promise<void> {
  await machine.exec(['sh', '-c', `echo ${factor} > /run/sno-lab/haste`]);
}

/** The state of a unit: active, failed, activating… */
export async function unitIs(machine: Machine, unit: string): Promise<string> {
  return (await machine.exec(['systemctl', 'show', '--property=ActiveState', '--value', unit])).trim();
}
