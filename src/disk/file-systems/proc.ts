import { join } from 'node:path';

/**
 * A path in the file system of proc(5), which Linux alone has; undefined elsewhere. A folder that is called so there says nothing of
 * this process: Wine shows that of the Linux below it.
 */
export function procPath(...parts: readonly string[]): string | undefined {
  return process.platform === 'linux' ? join('/proc', ...parts) : undefined;
}
