/** The value of a JSON text; undefined when it is none. Its error, which would repeat the text, is dropped. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
