import type { Output } from './judges.js';

/** A reader of the product under test. It gets valid inputs first, then changed ones. */
export interface Target {
  readonly name: string;
  /** Granularity of changes. yaml, json: nodes, lines and bytes; lines: lines and bytes; bytes: bytes only. */
  readonly form: 'yaml' | 'json' | 'lines' | 'bytes';
  /** The first inputs; some contain the canaries. */
  readonly seeds: () => readonly (string | Buffer)[];
  /** Tokens that this reader treats specially. */
  readonly words?: readonly string[];
  readonly canaries?: readonly Canary[];
  /** Longer inputs are cut to this size. */
  readonly maxBytes?: number;
  readonly run: (input: Buffer) => Outcome | Promise<Outcome>;
}

/** A secret in the seeds. It counts as a secret while `whole` is in the input, which marks it as one. */
export interface Canary {
  readonly whole: string;
  /** The part that must not appear in any output. */
  readonly part: string;
}

/** The result of one input. An exception is a finding, too. */
export interface Outcome {
  readonly isAccepted: boolean;
  /** Everything that a user would see. */
  readonly shown: string;
  /** A violated promise of the product. */
  readonly fault?: string | undefined;
  /** Creates the outputs of an accepted input, which real programs must accept. Called for a fraction of the inputs. */
  readonly outputs?: (() => readonly Output[] | Promise<readonly Output[]>) | undefined;
}

/** Reason for reporting an input. */
export interface Finding {
  readonly target: string;
  readonly kind: 'thrown' | 'promise' | 'secret' | 'slow' | 'hang' | 'refused';
  readonly what: string;
  readonly input: Buffer;
}
