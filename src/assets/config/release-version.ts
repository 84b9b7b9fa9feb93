/** The version of a release, as far as what is generated depends on it. */
export interface ReleaseVersion {
  readonly major: number;
  readonly minor: number;
  /** `<major>.<minor>` */
  readonly text: string;
}

/** The release that is installed when nobody names one. */
export const defaultReleaseVersion = '4.21.0';

/** The version that a text starts with, such as `4.18`, `4.18.3` or the tag `4.21.0-rc.1-x86_64`. */
export function versionIn(text: string): ReleaseVersion | undefined {
  const found = /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:-[0-9A-Za-z_.-]+)?$/.exec(text);
  if (!found) return undefined;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return { major, minor, text: `${major}.${minor}` };
}
