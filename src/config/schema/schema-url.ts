/**
 * The URL of a schema, relative to the file that names it. An absolute URL would let whoever controls its host change what editors load.
 * @internal
 */
export function schemaUrl(format: string): string {
  return `${format}.schema.json`;
}

/** A comment for the first line of a file that names its schema for editors. Source: yaml-language-server, README, "Using inlined schema" */
export function schemaModeline(format: string): string {
  return `# yaml-language-server: $schema=./${schemaUrl(format)}`;
}
