/** File contents as latin1, by path. */
type Files = Readonly<Record<string, string>>;

/** Expected files of a scenario; `isOdd` reports changes that are faults. */
interface Expected {
  readonly before: Files;
  readonly after: Files;
  readonly isSecret?: boolean;
  readonly isOdd?: (path: string, bytes: string) => boolean;
}

export function filesBelow(folder: string): Files;
export function faultsAfterKill(left: Files, expected: Expected): readonly string[];
export function faultsAfterRun(left: Files, expected: Expected): readonly string[];
