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
  /** `open` while it runs, `cut-off` when the service began again without its end. */
  readonly outcome: 'open' | 'cut-off' | 'success' | 'failure';
  readonly endedAt?: string;
  readonly errorLine?: string;
  readonly errorMessage?: string;
}

/** What a record says of its service. */
export interface ServiceState {
  readonly starts: number;
  readonly runs: readonly StageRun[];
  /** The last entry when it ends the service. */
  readonly end?: RecordEntry;
}

/** Of a record, the last entries count. A service that is tried again every few seconds makes some thousand a day. */
export const keptEntries = 20_000;

/**
 * Reads the last entries of a record; undefined when it is no JSON array of entries. The text may have lost its beginning: it goes
 * on at the next entry then.
 */
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

/** Adds to the runs, of which only the last one can be open. */
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
    endedAt: entry.timestamp,
    ...(entry.errorLine !== undefined && { errorLine: entry.errorLine }),
    ...(entry.errorMessage !== undefined && { errorMessage: entry.errorMessage }),
  };
}

function isEntry(value: unknown): value is RecordEntry {
  if (typeof value !== 'object' || value === null) return false;
  const isText = Object.values(value).every((each) => typeof each === 'string');
  return isText && 'timestamp' in value && 'phase' in value;
}
