import { hash } from 'node:crypto';

/** In hex. */
export function sha256(contents: string | Uint8Array): string {
  return hash('sha256', contents);
}
