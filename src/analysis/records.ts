/** One entry of a service's record. Source: templates/live/usr/local/bin/bootstrap-service-record.sh */
export interface RecordEntry {
  readonly timestamp: string;
  readonly phase: string;
  readonly preCommand?: string;
  readonly postCommand?: string;
  readonly stage?: string;
  readonly result?: string;
  readonly errorLine?: string;
  readonly errorMessage?: string;
}

/** One run of a stage, or of a command before or after the service. */
export interface StageRun {
  readonly stage: string;
  readonly startedAt: string;
  /** `open` while it runs; `cut-off` if the service restarted before its end. */
  readonly outcome: 'open' | 'cut-off' | 'success' | 'failure';
  readonly finishedAt?: string;
  readonly errorLine?: string;
  readonly errorMessage?: string;
}

/** The state of a service according to its record. */
export interface ServiceState {
  readonly starts: number;
  readonly runs: readonly StageRun[];
  /** The last entry, if it ends the service. */
  readonly end?: RecordEntry;
}

/** Only the last entries of a record are kept. A service that restarts every few seconds writes some thousand a day. */
export const keptEntries = 20_000;

/** The last entries of a record; undefined if it is not a JSON array of entries. If the beginning is cut off, reading starts at the next entry. */
export function readRecord(text: string): readonly RecordEntry[] | undefined {
  const whole = text.trimStart().startsWith('[') ? text : `[${text.slice(Math.max(0, text.indexOf('{')))}`;
  try {
    const value: unknown = JSON.parse(whole);
    return Array.isArray(value) ? value.slice(-keptEntries).filter(isEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** The runs of a service's stages, in order. */
export function stateOf(entries: readonly RecordEntry[]): ServiceState {
  const runs: StageRun[] = [];
  for (const entry of entries) addEntry(runs, entry);
  const last = entries.at(-1);
  return {
    starts: entries.filter(({ phase }) => phase === 'service start').length,
    runs,
    ...(last?.phase === 'service end' && { end: last }),
  };
}

/** Only the last run can be open. */
function addEntry(runs: StageRun[], entry: RecordEntry): void {
  const stage = entry.stage ?? entry.preCommand ?? entry.postCommand ?? '';
  const isStart = /^(stage|pre-command|post-command) start$/.test(entry.phase);
  const last = runs.at(-1);
  if (last?.outcome === 'open' && (isStart || entry.phase === 'service start'))
    runs[runs.length - 1] = { ...last, outcome: 'cut-off' };
  if (isStart) runs.push({ stage, startedAt: entry.timestamp, outcome: 'open' });
  if (!/^(stage|pre-command|post-command) end$/.test(entry.phase) || last?.stage !== stage) return;
  runs[runs.length - 1] = {
    ...last,
    outcome: entry.result === 'success' ? 'success' : 'failure',
    finishedAt: entry.timestamp,
    ...(entry.errorLine !== undefined && { errorLine: entry.errorLine }),
    ...(entry.errorMessage !== undefined && { errorMessage: entry.errorMessage }),
  };
}

function isEntry(value: unknown): value is RecordEntry {
  if (typeof value !== 'object' || value === null) return false;
  const isText = Object.values(value).every((each) => typeof each === 'string');
  return isText && 'timestamp' in value && 'phase' in value;
}
