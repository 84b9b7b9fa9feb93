/** A state of version 2 as 0.1.0 writes it: version 1, with other names, and with the hashes of a record. */
export function inVersion1(text: string, record: object = {}): string {
  const current = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { generatedValues, generatedValuesDigest, externalValueHashes, ...rest } = current;
  const named = { draws: generatedValues, drawsDigest: generatedValuesDigest };
  const hashes = externalValueHashes === undefined ? {} : { elsewhere: externalValueHashes };
  return `${JSON.stringify({ written: {}, lastRuns: {}, ...rest, ...record, version: 1, ...named, ...hashes }, null, 2)}\n`;
}
