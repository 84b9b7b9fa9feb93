/** A valid Mermaid node ID for a name. */
export function idOf(name) {
  return name.replaceAll('-', '_');
}
