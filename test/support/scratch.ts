import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished, TestRunner } from 'vitest';

/** Folders that were made outside of any test, for all tests of the file that is run. */
const ofFile = new Set<string>();

/** An empty folder that is gone when the test ends; one that a hook asks for, when the file ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-test-'));
  if (TestRunner.getCurrentTest() === undefined) ofFile.add(folder);
  else onTestFinished(remove.bind(undefined, folder));
  return folder;
}

/** What `scratch-of-file.ts` calls at the end of each file. */
export function removeFoldersOfFile(): void {
  for (const folder of ofFile) remove(folder);
  ofFile.clear();
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
