import { isMainThread } from 'node:worker_threads';

/** Does something while new files lose these permissions. A thread beside the main one cannot choose them: there they lose what they do anyway. */
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
