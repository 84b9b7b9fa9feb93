/** Why a store could not be used: it does not answer, or it says no. */
export type StoreFaultKind = 'unreachable' | 'refused' | 'damaged';

/** What a store did not do. Its message holds no secret, and nothing of the store's own words but a code. */
export class StoreFault extends Error {
  /** Whether the same may go well a little later. */
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
