import type { Templates } from './context.js';

/** A constant text of the program, by its path below templates/. */
export function templateText(templates: Templates, path: string): string {
  return new TextDecoder().decode(templates.read(path));
}
