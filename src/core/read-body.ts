/** Reads a body to its end. Throws `tooLarge()` as soon as the body exceeds `maxBytes`; passes on errors of the connection. */
export async function wholeBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: { readonly maxBytes: number; readonly tooLarge: () => Error },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
