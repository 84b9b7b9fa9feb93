/**
 * Ends this test worker when its runner is gone, however that ended; a worker would wait on. What it started with
 * `setpriv --pdeathsig` ends with it.
 */
export function endWithRunner(): void {
  process.off('disconnect', end);
  process.once('disconnect', end);
}

function end(): never {
  process.exit(1);
}
