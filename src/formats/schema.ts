/** Hands out a value under the type its schema promises; the caller has checked it against that schema. */
export function checkedAs<T>(value: unknown): T {
  return value as T;
}
