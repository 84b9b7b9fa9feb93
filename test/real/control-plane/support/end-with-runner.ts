/**
 * Ends this test worker when its runner has ended in any way; otherwise the worker would wait forever. Programs started with
 * `setpriv --pdeathsig` end with the worker.
 */
export function endWithRunner(): void {
  process.off('disconnect', end);
  process.once('disconnect', end);
}

function end(): never {
  process.exit(1);
}
