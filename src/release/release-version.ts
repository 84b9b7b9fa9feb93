/** A release version without its patch; the output does not depend on the patch. */
export interface ReleaseVersion {
  readonly major: number;
  readonly minor: number;
  /** `<major>.<minor>` */
  readonly text: string;
}

export function releaseVersion(major: number, minor: number): ReleaseVersion {
  return { major, minor, text: `${major}.${minor}` };
}

/** Parses the version at the start of a text such as `4.18`, `4.18.3` or the tag `4.21.0-rc.1-x86_64`. */
export function versionIn(text: string): ReleaseVersion | undefined {
  const found = /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:-[0-9A-Za-z_.-]+)?$/.exec(text);
  return found ? releaseVersion(Number(found[1]), Number(found[2])) : undefined;
}

/** Negative if `left` is older. */
export function byVersion(left: ReleaseVersion, right: ReleaseVersion): number {
  return left.major - right.major || left.minor - right.minor;
}
