/** A name as Mermaid takes it for a node. */
export function idOf(name) {
  return name.replaceAll('-', '_');
}
