/** A state of version 2 as 0.1.0 writes it: version 1, with other names. */
export function inVersion1(text: string): string {
  const current = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { generatedValues, generatedValuesDigest, externalValueHashes, ...rest } = current;
  const named = { draws: generatedValues, drawsDigest: generatedValuesDigest };
  const hashes = externalValueHashes === undefined ? {} : { elsewhere: externalValueHashes };
  return `${JSON.stringify({ ...rest, version: 1, ...named, ...hashes }, null, 2)}\n`;
}
