import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.cache/passed';

/**
 * Runs a slow check, unless it passed before with the very same input: with everything that its result depends on, the version of
 * the program among it. A check that throws is run again. In CI every check is run.
 */
export async function oncePerInput(name: string, input: unknown, check: () => Promise<void>): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const passed = join(folder, `${name}-${digest}`);
  if (existsSync(passed) && process.env['CI'] === undefined) return;
  await check();
  mkdirSync(folder, { recursive: true });
  writeFileSync(passed, '');
}
