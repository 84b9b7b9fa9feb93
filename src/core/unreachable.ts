/** Ends a `switch` over a union: the compiler refuses it while a case is missing. Throws: internal error. */
export function unreachable(value: never): never {
  throw new Error(`internal error: unexpected value ${JSON.stringify(value)}`);
}
