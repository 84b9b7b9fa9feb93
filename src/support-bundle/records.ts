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

/** Reads a record; undefined when it is no JSON array of entries. */
export function readRecord(text: string): readonly RecordEntry[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** The runs of a service's stages, in order. */
export function stateOf(entries: readonly RecordEntry[]): ServiceState {
  let runs: readonly StageRun[] = [];
  for (const entry of entries) runs = withEntry(runs, entry);
  const last = entries.at(-1);
  return {
    starts: entries.filter(({ phase }) => phase === 'service start').length,
    runs,
    ...(last?.phase === 'service end' && { end: last }),
  };
}

function withEntry(runs: readonly StageRun[], entry: RecordEntry): readonly StageRun[] {
  const stage = entry.stage ?? entry.preCommand ?? entry.postCommand ?? '';
  if (entry.phase === 'service start') return runs.map(closed);
  if (/^(stage|pre-command|post-command) start$/.test(entry.phase))
    return [...runs.map(closed), { stage, startedAt: entry.timestamp, outcome: 'open' }];
  const open = runs.at(-1);
  if (!/^(stage|pre-command|post-command) end$/.test(entry.phase) || open?.stage !== stage) return runs;
  const ended: StageRun = {
    ...open,
    outcome: entry.result === 'success' ? 'success' : 'failure',
    endedAt: entry.timestamp,
    ...(entry.errorLine !== undefined && { errorLine: entry.errorLine }),
    ...(entry.errorMessage !== undefined && { errorMessage: entry.errorMessage }),
  };
  return [...runs.slice(0, -1), ended];
}

function closed(run: StageRun): StageRun {
  return run.outcome === 'open' ? { ...run, outcome: 'cut-off' } : run;
}

function isEntry(value: unknown): value is RecordEntry {
  if (typeof value !== 'object' || value === null) return false;
  const isText = Object.values(value).every((each) => typeof each === 'string');
  return isText && 'timestamp' in value && 'phase' in value;
}
