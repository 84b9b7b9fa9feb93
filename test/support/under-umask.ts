import { isMainThread } from 'node:worker_threads';

/** Runs a function with this umask. Worker threads cannot set it; there the process's umask applies. */
export function underUmask(mask: number, act: () => void): void {
  if (!isMainThread) {
    act();
    return;
  }
  const before = process.umask(mask);
  try {
    act();
  } finally {
    process.umask(before);
  }
}
