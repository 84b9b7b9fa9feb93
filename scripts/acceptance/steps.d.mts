export interface StepRecord {
  readonly name: string;
  readonly title: string;
  state: string;
  findings: readonly string[];
  facts?: Readonly<Record<string, string>>;
  startedAt?: string;
  seconds?: number;
}

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly timeoutMs: number;
  readonly run: (
    signal: AbortSignal,
  ) => Promise<{ findings?: readonly string[]; facts?: Record<string, string> }>;
  readonly isCheck?: boolean;
  readonly isSkipped?: boolean;
  readonly afterFailure?: string;
}

export function recordsOf(steps: readonly Step[], earlier?: readonly StepRecord[]): StepRecord[];
export function runSteps(
  steps: readonly Step[],
  run: {
    readonly records: readonly StepRecord[];
    readonly onChange: () => void;
    readonly nowMs: () => number;
    readonly present: () => Date;
  },
): Promise<void>;
