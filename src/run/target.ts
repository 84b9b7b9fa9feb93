import type { Asset } from '../graph/asset.js';
import type { Resolved } from '../graph/engine.js';
import type { EmbeddedSize } from '../ignition/size.js';

/** What a run tells the user beside the files it wrote. */
export interface Facts {
  /** From when and until when the certificates of the live phase hold; both or neither. */
  readonly bootableFrom?: Date;
  readonly bootableUntil?: Date;
  /** What embedding into the live ISO takes of its area, in bytes after compression. */
  readonly embedded?: EmbeddedSize & { readonly limitBytes: number };
  /** What the machine is, and what is installed on it, as far as a live image must fit. */
  readonly liveImage?: LiveImageWanted;
}

/** The live image that a config is for. */
export interface LiveImageWanted {
  readonly architecture: string;
  /** Such as `4.18`; unknown of a payload whose tag does not say it. */
  readonly release?: string;
}

/**
 * What the command line offers for a target. `create NAME` makes manifests to edit, and Ignition configs, whose certificates it can
 * renew and whose inputs `validate` judges; `render` makes trees to read, told apart by their machine.
 */
export type Offer =
  | { readonly makes: 'manifests' }
  | { readonly makes: 'ignition'; readonly fetchesFiles?: true; readonly details?: string }
  | { readonly makes: 'tree'; readonly machine: string };

/** What the command line shows of a target. */
export interface Target {
  /** What it writes, as one phrase: help says it. */
  readonly summary: string;
  readonly offer: Offer;
  /** Folders the target owns: a file it wrote there earlier and no longer makes is removed. */
  readonly owns: readonly string[];
}

/** What a run resolves for a target. */
export interface TargetAssets {
  /** Assets that check the configs; the roots are resolved only if these succeed. */
  readonly configs: readonly Asset<unknown>[];
  /** Checks of the other inputs that need no generated value: resolved if the configs have errors, to report every problem in one run. */
  readonly checks: readonly Asset<unknown>[];
  readonly roots: readonly Asset<unknown>[];
  /** Absent: the run reports nothing but the files. */
  readonly facts?: (resolved: Resolved) => Facts;
}
