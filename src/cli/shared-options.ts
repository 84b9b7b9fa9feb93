/** Where the files of an all-in-one machine come from, for the commands that make or check its config. */
export const offlineFiles = [
  '--offline-files <url-or-dir>',
  'mirror of the files that an all-in-one machine fetches, or a copy of aio.mirror to check',
] as const;

/** What an option that may be repeated was given, this time and before. */
export function collected(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
