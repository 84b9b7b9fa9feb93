import type { ProblemCode } from '../../core/problem-codes/catalog.js';

/** What the name servers say of a name. */
export type NameAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** There is no such name, or it has no address. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** What a place says of an image that is asked for there. Reasons are a few words, without a secret. */
export type PullAnswer =
  | { readonly kind: 'found'; readonly digest: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'wrong-digest'; readonly digest: string }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'failing'; readonly reason: string }
  | { readonly kind: 'proxy'; readonly reason: string };

/** What a time server says. */
export type TimeAnswer =
  /** Seconds that its clock is ahead of this machine's; negative when it is behind. */
  | { readonly kind: 'time'; readonly aheadSeconds: number; readonly stratum: number }
  | { readonly kind: 'unsynchronised' }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** A question with its answer in words, and the code of what is wrong with it. */
export interface Answered {
  readonly about: 'dns' | 'registry' | 'time';
  /** What was asked for, such as a name or a pull spec. */
  readonly question: string;
  /** Few words. */
  readonly answer: string;
  /** `ok` when nothing is wrong. */
  readonly verdict: 'ok' | 'warning' | 'error';
  readonly code?: ProblemCode;
  /** What the code is said with. */
  readonly message?: string;
  readonly hint?: string;
}
