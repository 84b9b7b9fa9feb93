/** A release version with its patch, such as 4.20.3 or 4.21.0-rc.1. */
export interface FullVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly text: string;
}

/** Architectures at the end of a release's tag. */
const architecture = /-(?:x86_64|amd64|aarch64|arm64|ppc64le|s390x|multi)$/;

/** The version in a text such as `4.20.3`, or in a tag such as `4.20.3-x86_64`; undefined for other texts. */
export function fullVersionIn(text: string): FullVersion | undefined {
  const plain = text.replace(architecture, '');
  const found = /^(\d{1,4})\.(\d{1,4})\.(\d{1,6})(?:-[0-9A-Za-z.-]+)?$/.exec(plain);
  if (!found) return undefined;
  const [, major, minor, patch] = found.map(Number);
  return { major: major ?? 0, minor: minor ?? 0, patch: patch ?? 0, text: plain };
}

/** Negative if `left` is older. Pre-releases of one patch are equal. */
export function byFullVersion(left: FullVersion, right: FullVersion): number {
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch;
}

export function isSameMinor(left: FullVersion, right: FullVersion): boolean {
  return left.major === right.major && left.minor === right.minor;
}
