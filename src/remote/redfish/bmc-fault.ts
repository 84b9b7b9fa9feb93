/** What is wrong with a BMC, in the order of how far one came. */
export type BmcFaultKind =
  /** No answer: no route, nothing listens, too late. */
  | 'unreachable'
  /** It shows another certificate than is believed. */
  | 'certificate'
  /** It does not take the user and password. */
  | 'credentials'
  /** It cannot do what is asked of any BMC here. */
  | 'unsupported'
  /** It says no, or fails. */
  | 'refused'
  /** Its machine does not get where it was sent. */
  | 'stuck'
  /** The user, or the time for the site, ended it. */
  | 'stopped';

/** A BMC that does not do what it is asked. The words are ours, or free of secrets. */
export class BmcFault extends Error {
  readonly kind: BmcFaultKind;
  /** Of an answer. */
  readonly status?: number;
  /** Keys of messages in an answer, such as `ActionParameterMissing`, with their arguments. */
  readonly messages: readonly BmcMessage[];
  /** What the certificate of a BMC is, that is not believed: SHA-256 in hex. */
  readonly fingerprint?: string;
  /** Whether the same question may be answered otherwise soon. */
  readonly mayPass: boolean;
  /** Whether there was no answer within its time: who hangs is asked once more, and not for minutes. */
  readonly isLate: boolean;

  constructor(kind: BmcFaultKind, words: string, more: BmcFaultDetails = {}) {
    super(words);
    this.kind = kind;
    this.messages = more.messages ?? [];
    this.isLate = more.isLate ?? false;
    this.mayPass = more.mayPass ?? this.isLate;
    if (more.status !== undefined) this.status = more.status;
    if (more.fingerprint !== undefined) this.fingerprint = more.fingerprint;
  }
}

interface BmcFaultDetails {
  readonly status?: number;
  readonly messages?: readonly BmcMessage[];
  readonly fingerprint?: string;
  readonly mayPass?: boolean;
  readonly isLate?: boolean;
}

/** A message of a registry. Source: DSP0266, "Error responses"; DSP2065, Base registry */
export interface BmcMessage {
  /** Without the registry and its version. */
  readonly key: string;
  readonly args: readonly string[];
}
