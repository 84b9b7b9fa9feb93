import type { Asset } from './graph/asset.js';
import type { Resolved } from './graph/engine.js';
import type { EmbeddedSize } from './ignition/size.js';

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

/** What a command makes, by the assets at the root of its graph. */
export interface Target {
  /** What it writes, as one phrase: help says it. */
  readonly summary: string;
  readonly offer: Offer;
  /** Folders the target owns: a file it wrote there earlier and no longer makes is removed. */
  readonly owns: readonly string[];
  /** What judges the configs: nothing else is loaded, and nothing drawn, for one that has errors. */
  readonly loadConfigs: () => Promise<readonly Asset<unknown>[]>;
  /** What judges the other inputs and needs no draw: asked when the configs have errors, so that a run reports all there is. */
  readonly loadChecks: () => Promise<readonly Asset<unknown>[]>;
  /** Assets to begin with while the rest is loaded: those that draw keys, which other threads do. */
  readonly loadFirst?: () => Promise<readonly Asset<unknown>[]>;
  /** Loaded when needed, so that a command pays only for its own assets. */
  readonly load: () => Promise<Loaded>;
}

/** The assets of a target, and what is told of them. */
export interface Loaded {
  readonly roots: readonly Asset<unknown>[];
  readonly facts: (resolved: Resolved) => Facts;
}
