import type { JournalLine } from './journal.js';

/** One run of a stage of a service. */
export interface Stage {
  readonly unit: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly result: 'done' | 'failed' | 'killed' | 'open';
  /** The waits and pulls that it logged, with their durations. */
  readonly waits: readonly Wait[];
  /** The last line that the stage logged. */
  readonly said?: string;
}

export interface Wait {
  readonly what: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Seconds. */
  readonly limit: number;
}

/** System services without stages. Our stages wait for their start. */
export const systemServices = ['crio', 'kubelet'];

/** The stages in a journal, in the order of their start. An open stage ends at the last line. */
export function stagesOf(lines: readonly JournalLine[]): readonly Stage[] {
  const units = [...new Set(lines.map(({ unit }) => unit))];
  return units
    .flatMap((unit) => {
      const own = lines.filter((line) => line.unit === unit);
      return systemServices.includes(unit) ? startsOfUnit(own) : stagesOfUnit(own);
    })
    .toSorted((left, right) => left.startMs - right.startMs);
}

/** From systemd's `Starting` to `Started`. A failed start ends at the exit. */
function startsOfUnit(lines: readonly JournalLine[]): readonly Stage[] {
  const ofSystemd = lines.filter(({ isOfSystemd }) => isOfSystemd);
  return ofSystemd.flatMap((line, index): readonly Stage[] => {
    if (!line.message.startsWith('Starting ')) return [];
    const end = ofSystemd
      .slice(index + 1)
      .find(({ message }) => /^(?:Started|Failed to start) /.test(message));
    const endMs = end?.at ?? lines.at(-1)?.at ?? line.at;
    const result = end === undefined ? 'open' : end.message.startsWith('Started ') ? 'done' : 'failed';
    return [{ unit: line.unit, name: 'start', startMs: line.at, endMs, result, waits: [] }];
  });
}

function stagesOfUnit(lines: readonly JournalLine[]): readonly Stage[] {
  return lines.flatMap((line, index): readonly Stage[] => {
    const name = /^stage (\S+)$/.exec(line.message)?.[1];
    if (name === undefined) return [];
    const rest = lines.slice(index + 1);
    const next = rest.findIndex(endsStage);
    const end = next < 0 ? lines.at(-1) : rest[next];
    const own = next < 0 ? rest : rest.slice(0, next);
    const endMs = end?.at ?? line.at;
    return [
      {
        unit: line.unit,
        name,
        startMs: line.at,
        endMs,
        result: resultOf(own, end, next),
        waits: waitsOf(own, endMs),
        ...saidLast(own),
      },
    ];
  });
}

function saidLast(own: readonly JournalLine[]): Pick<Stage, 'said'> {
  const last = own.findLast(({ isOfSystemd, message }) => !isOfSystemd && message.trim() !== '');
  return last === undefined ? {} : { said: last.message };
}

function endsStage({ message, isOfSystemd }: JournalLine): boolean {
  return /^stage \S+(?:: done by an earlier run)?$/.test(message) || (isOfSystemd && isEnd(message));
}

function isEnd(message: string): boolean {
  return /^(?:\S+: (?:Main process exited|Deactivated successfully)|Finished )/.test(message);
}

function resultOf(own: readonly JournalLine[], end: JournalLine | undefined, next: number): Stage['result'] {
  if (end === undefined || next < 0) return 'open';
  if (end.message.includes('status=9/KILL')) return 'killed';
  if (end.message.includes('Main process exited')) return 'failed';
  return own.some(({ message }) => message.includes('failed, which does not stop')) ? 'failed' : 'done';
}

function waitsOf(own: readonly JournalLine[], endMs: number): readonly Wait[] {
  return own.flatMap(({ at, message }, index) => {
    const [, condition, image, limit] =
      /^(?:waiting for (.+), at most|pulling (\S+), for at most) (\d+) s$/.exec(message) ?? [];
    const what = image === undefined ? condition : `the pull of ${image}`;
    if (what === undefined) return [];
    const after = own.slice(index + 1).find((line) => !isSaidWhileWaiting(line.message));
    return [{ what, startMs: at, endMs: after?.at ?? endMs, limit: Number(limit) }];
  });
}

/** Recognizes messages of a wait or of one of its polls. */
function isSaidWhileWaiting(message: string): boolean {
  return /^(?:still waiting|pulling \S+ failed after|certificatesigningrequest\.|certificate request |not available: )/.test(
    message,
  );
}
