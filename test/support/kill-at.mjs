// Preloaded into the command by the crash test: kills the process at the KILL_AT-th call that changes the file system:
// in the middle of a write, after half of its bytes, and just before any other change.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const killAt = Number(process.env.KILL_AT);
let calls = 0;

function die() {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before the next instruction of this thread that matters; wait for it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** True if an open changes nothing. */
function isForReading(flags = 'r') {
  if (typeof flags === 'string') return flags === 'r';
  return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) === 0;
}

for (const name of [
  'writeFileSync',
  'writeSync',
  'copyFileSync',
  'openSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'linkSync',
  'chmodSync',
  'fchmodSync',
  'utimesSync',
]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (name === 'openSync' && isForReading(args[1])) return real(...args);
    calls += 1;
    if (calls !== killAt) return real(...args);
    if (name === 'writeSync') real(args[0], args[1], args[2], Math.floor(args[1].length / 2));
    if (name === 'writeFileSync') real(args[0], String(args[1]).slice(0, 10));
    return die();
  };
}
process.on('exit', () => {
  if (process.env.KILL_COUNT_FILE) fs.appendFileSync(process.env.KILL_COUNT_FILE, String(calls));
});
syncBuiltinESMExports();
