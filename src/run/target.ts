import type { Asset } from '../graph/asset.js';
import type { Resolved } from '../graph/engine.js';
import type { EmbeddedSize } from '../ignition/embedded-size.js';

/** Results of a run other than its files. */
export interface Facts {
  /** Validity of the live phase's certificates; both or neither. */
  readonly bootableFrom?: Date;
  readonly bootableUntil?: Date;
  /** Size in the embed area of the live ISO, in bytes after compression. */
  readonly embedded?: EmbeddedSize & { readonly limitBytes: number };
  /** Requirements for the live image. */
  readonly liveImage?: LiveImageWanted;
}

/** The live image that a config needs. */
export interface LiveImageWanted {
  readonly architecture: string;
  /** Such as `4.18`; undefined if the payload's tag does not contain it. */
  readonly release?: string;
  /** Whether the release is a build of OKD; absent in records of earlier versions. */
  readonly isOkd?: boolean;
}

/**
 * Commands of a target. `create NAME` writes manifests to edit, or Ignition configs, whose certificates it can renew and whose inputs
 * `validate` checks; `render` writes trees to read, distinguished by machine.
 */
export type Offer =
  | { readonly makes: 'manifests' }
  | { readonly makes: 'ignition'; readonly fetchesFiles?: true; readonly details?: string }
  | { readonly makes: 'tree'; readonly machine: string };

/** The description of a target for the command line. */
export interface Target {
  /** One phrase for help. */
  readonly summary: string;
  readonly offer: Offer;
  /** Folders of the target: a file that an earlier run wrote there and this run does not is removed. */
  readonly owns: readonly string[];
}

/** Assets that a run resolves for a target. */
export interface TargetAssets {
  /** Assets that check the configs; the roots are resolved only if these succeed. */
  readonly configs: readonly Asset<unknown>[];
  /** Checks of the other inputs that need no generated value: resolved if the configs have errors, to report every problem in one run. */
  readonly checks: readonly Asset<unknown>[];
  readonly roots: readonly Asset<unknown>[];
  /** Default: no facts. */
  readonly facts?: (resolved: Resolved) => Facts;
  /**
   * Path of an output that contains private keys; the receipt's hashes of inputs with short secrets are keyed with it. Default: no
   * receipt, for manifests to edit and trees to read.
   */
  readonly receiptKey?: string;
}

/** Ignition configs have a receipt. */
export interface IgnitionAssets extends TargetAssets {
  readonly receiptKey: string;
}
