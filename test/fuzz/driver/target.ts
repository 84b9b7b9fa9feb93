import type { Output } from './judges.js';

/** A reader of the product that is given inputs, sound ones changed a little and ever more strange. */
export interface Target {
  readonly name: string;
  /** How inputs are changed: by nodes, lines and bytes; by lines and bytes; by bytes alone. */
  readonly form: 'yaml' | 'json' | 'lines' | 'bytes';
  /** What the first inputs are; some of them hold the canaries. */
  readonly seeds: () => readonly (string | Buffer)[];
  /** Pieces that mean something to this reader. */
  readonly words?: readonly string[];
  readonly canaries?: readonly Canary[];
  /** Longer inputs are cut. */
  readonly maxBytes?: number;
  readonly run: (input: Buffer) => Outcome | Promise<Outcome>;
}

/** A secret of the seeds. It is one as long as it stands in the input with all that tells it from other words. */
export interface Canary {
  readonly whole: string;
  /** What may be seen nowhere. */
  readonly part: string;
}

/** What became of an input. What is thrown is a finding, too. */
export interface Outcome {
  readonly isAccepted: boolean;
  /** All that a user would be shown. */
  readonly shown: string;
  /** A promise of the product that does not hold. */
  readonly fault?: string | undefined;
  /** What is made of an accepted input, for programs that must take it; called for a share of the inputs. */
  readonly outputs?: (() => readonly Output[] | Promise<readonly Output[]>) | undefined;
}

/** Why an input is a finding. */
export interface Finding {
  readonly target: string;
  readonly kind: 'thrown' | 'promise' | 'secret' | 'slow' | 'hang' | 'refused';
  readonly what: string;
  readonly input: Buffer;
}
