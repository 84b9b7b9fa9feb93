export interface Checkout {
  commitOf(branch: string): string;
  /** The blobs of a branch whose paths match, sorted by path. */
  filesOf(branch: string, pattern: RegExp): readonly { readonly path: string; readonly blob: string }[];
  /** The texts of blobs, in the same order. */
  textsOf(blobs: readonly string[]): readonly string[];
}

/** A Git directory, or a clone that contains one. */
export function openCheckout(path: string): Checkout;
