import type { ProblemCode } from '../../core/problem-codes/catalog.js';

/** Result of a DNS lookup. */
export type NameAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** The name does not exist, or has no address. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** Result of looking up an image in a registry. Reasons are a few words without secrets. */
export type PullAnswer =
  | { readonly kind: 'found'; readonly digest: string; readonly isList?: true }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'wrong-digest'; readonly digest: string }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'failing'; readonly reason: string }
  | { readonly kind: 'proxy'; readonly reason: string };

/** Result of an NTP request. */
export type TimeAnswer =
  /** Offset of the server's clock from the local one in seconds; negative if it is behind. */
  | { readonly kind: 'time'; readonly aheadSeconds: number; readonly stratum: number }
  | { readonly kind: 'unsynchronised' }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** A check with its result in words, and a problem code if it failed. */
export interface PreflightCheck {
  readonly kind: 'dns' | 'registry' | 'time';
  /** Subject of the check, such as a host name or a pull spec. */
  readonly question: string;
  /** A few words. */
  readonly answer: string;
  readonly verdict: 'ok' | 'warning' | 'error';
  readonly code?: ProblemCode;
  /** Message of the problem. */
  readonly message?: string;
  readonly hint?: string;
}
