import type { Machine } from '../real/control-plane/support/machine.js';
import { waitUntil } from '../real/control-plane/support/wait-until.js';
import { consoleOf } from './phases.js';

/** The visible result of a unit that was started and failed. */
export interface UnitFailure {
  /** Text above the login prompt, one finding per line. */
  readonly console: readonly string[];
  /** Journal lines of the unit since its start. */
  readonly journal: readonly string[];
  /** Duration by the clock of the machine's scripts. */
  readonly seconds: number;
}

/** Restarts a unit and waits until it has failed once. Then stops it, so that systemd does not retry. */
export async function waitForUnitFailure(machine: Machine, root: string, unit: string): Promise<UnitFailure> {
  const { cursor, startSeconds } = await startAnew(machine, unit);
  await waitUntil(
    `${unit} to fail`,
    async () => {
      const state = await machine.exec(['systemctl', 'show', '--property=SubState', '--value', unit]);
      return ['auto-restart', 'failed'].includes(state.trim()) ? state : undefined;
    },
    { tries: 400 },
  );
  // Measured before the journal is read, which is slow on a busy system.
  const seconds = (await uptimeOf(machine)) - startSeconds;
  const refusal = await seen(machine, { root, unit, cursor, startSeconds });
  await machine.run(['systemctl', 'stop', unit]);
  return { ...refusal, seconds };
}

/** Restarts a unit and waits for a line in its journal. */
export async function awaitLine(
  machine: Machine,
  root: string,
  unit: string,
  text: string,
): Promise<UnitFailure> {
  const { cursor, startSeconds } = await startAnew(machine, unit);
  return waitUntil(
    `${unit} to say ${text}`,
    async () => {
      const now = await seen(machine, { root, unit, cursor, startSeconds });
      return now.journal.some((line) => line.includes(text)) ? now : undefined;
    },
    { tries: 400 },
  );
}

async function startAnew(
  machine: Machine,
  unit: string,
): Promise<{ readonly cursor: string; readonly startSeconds: number }> {
  await machine.run(['systemctl', 'stop', unit]);
  await machine.run(['systemctl', 'reset-failed', unit]);
  await machine.run(['journalctl', '--sync']);
  const { stdout } = await machine.run(['journalctl', '--lines=0', '--show-cursor', '--no-pager']);
  const cursor = /cursor: (\S+)/.exec(stdout)?.[1] ?? '';
  const startSeconds = await uptimeOf(machine);
  await machine.exec(['systemctl', 'start', '--no-block', unit]);
  return { cursor, startSeconds };
}

interface StartedUnit {
  readonly root: string;
  readonly unit: string;
  readonly cursor: string;
  readonly startSeconds: number;
}

async function seen(
  machine: Machine,
  { root, unit, cursor, startSeconds }: StartedUnit,
): Promise<UnitFailure> {
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
    seconds: (await uptimeOf(machine)) - startSeconds,
  };
}

/** Seconds since boot, by the clock of the machine's scripts. */
export async function uptimeOf(machine: Machine): Promise<number> {
  return Number((await machine.exec(['cat', '/run/sno-lab/uptime'])).split(' ')[0]);
}

/** Shortens the waits of a machine's scripts by a factor. */
export async function shortenWaits(machine: Machine, factor: number): Promise<void> {
  await machine.exec(['sh', '-c', `echo ${factor} > /run/sno-lab/haste`]);
}

/** The unit's ActiveState: active, failed, activating… */
export async function activeStateOf(machine: Machine, unit: string): Promise<string> {
  return (await machine.exec(['systemctl', 'show', '--property=ActiveState', '--value', unit])).trim();
}
