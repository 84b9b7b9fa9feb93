/** Kinds of BMC failures, by the stage that was reached. */
export type BmcFaultKind =
  /** No response: no route, connection refused, or timeout. */
  | 'unreachable'
  /** The certificate is not trusted. */
  | 'certificate'
  /** The user or the password is wrong. */
  | 'credentials'
  /** A required Redfish feature is missing. */
  | 'unsupported'
  /** The BMC rejected the request, or failed. */
  | 'refused'
  /** The machine may run an installation that a boot would erase. */
  | 'occupied'
  /** The machine does not reach the requested state. */
  | 'stuck'
  /** Stopped by the user, or by the timeout of the site. */
  | 'stopped';

/** Failure of a BMC operation. The message is ours, or text of the BMC with secrets removed. */
export class BmcFault extends Error {
  readonly kind: BmcFaultKind;
  /** HTTP status. */
  readonly status?: number;
  /** Keys of the messages in a response, such as `ActionParameterMissing`, with their arguments. */
  readonly messages: readonly BmcMessage[];
  /** SHA-256 in hex of a certificate that is not trusted. */
  readonly fingerprint?: string;
  /** The way out, if it is known. */
  readonly hint?: string;
  /** Whether a retry may succeed. */
  readonly mayPass: boolean;
  /** Whether the request timed out. It is repeated only once, so that a hanging BMC does not block for minutes. */
  readonly isLate: boolean;

  constructor(kind: BmcFaultKind, words: string, more: BmcFaultDetails = {}) {
    super(words);
    this.kind = kind;
    this.messages = more.messages ?? [];
    this.isLate = more.isLate ?? false;
    this.mayPass = more.mayPass ?? this.isLate;
    if (more.status !== undefined) this.status = more.status;
    if (more.hint !== undefined) this.hint = more.hint;
    if (more.fingerprint !== undefined) this.fingerprint = more.fingerprint;
  }
}

interface BmcFaultDetails {
  readonly status?: number;
  readonly messages?: readonly BmcMessage[];
  readonly fingerprint?: string;
  readonly hint?: string;
  readonly mayPass?: boolean;
  readonly isLate?: boolean;
}

/** A message of a message registry. Source: DSP0266, "Error responses"; DSP2065, Base registry */
export interface BmcMessage {
  /** Without the registry and its version. */
  readonly key: string;
  readonly args: readonly string[];
  /** Names of the properties that the message is about. */
  readonly properties: readonly string[];
  /** Text of the BMC, which may repeat secrets. */
  readonly text: string;
}
