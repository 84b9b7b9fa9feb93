import { programVersion } from '../../core/program-version.js';

/**
 * The URL of a published schema. Source: unpkg.com, "How it works"
 * @internal
 */
export function schemaUrl(format: string): string {
  return `https://unpkg.com/sno-install@${programVersion}/docs/${format}.schema.json`;
}

/** A comment for the first line of a file that names its schema for editors. Source: yaml-language-server, README, "Using inlined schema" */
export function schemaModeline(format: string): string {
  return `# yaml-language-server: $schema=${schemaUrl(format)}`;
}
