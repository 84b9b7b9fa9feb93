/** Parses the environment file of the installation scripts. Variables with empty values are left out. */
export function environmentIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^(SNO_[A-Z0-9_]+)='(.+)'$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(`'"'"'`, "'"),
    ]),
  );
}
