import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished, TestRunner } from 'vitest';

/** Folders created outside of any test, shared by all tests of the current file. */
const ofFile = new Set<string>();

/** An empty folder that is deleted at the end of the test. From a hook: at the end of the file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-test-'));
  if (TestRunner.getCurrentTest() === undefined) ofFile.add(folder);
  else onTestFinished(remove.bind(undefined, folder));
  return folder;
}

/** Called by `scratch-of-file.ts` at the end of each file. */
export function removeFoldersOfFile(): void {
  for (const folder of ofFile) remove(folder);
  ofFile.clear();
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
