/** Kinds of failure: no answer, request rejected, no credentials, invalid data, or data sealed with another key. */
export type StoreFaultKind = 'unreachable' | 'refused' | 'credentials' | 'damaged' | 'key';

/** Failure of a store request. The message contains no secrets, and only an error code from the store. */
export class StoreFault extends Error {
  /** Whether a retry may succeed. */
  readonly mayPass: boolean;

  constructor(
    readonly kind: StoreFaultKind,
    message: string,
    { mayPass = false }: { readonly mayPass?: boolean } = {},
  ) {
    super(message);
    this.mayPass = mayPass;
  }
}
