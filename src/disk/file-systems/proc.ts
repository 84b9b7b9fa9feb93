import { join } from 'node:path';

/**
 * A path below /proc (proc(5)); undefined except on Linux. Elsewhere a folder of this name does not describe this process:
 * Wine shows the /proc of its Linux host.
 */
export function procPath(...parts: readonly string[]): string | undefined {
  return process.platform === 'linux' ? join('/proc', ...parts) : undefined;
}
