// Preloaded into the command: simulates the file system of a USB stick. Hard links, symbolic links, sockets and fsync of folders
// fail. All files have the mount's permissions, LACKING_MODE in octal (default 700). chmod fails with LACKING_CHMOD or does nothing.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const mode = Number.parseInt(process.env.LACKING_MODE ?? '700', 8);
const chmodCode = process.env.LACKING_CHMOD;

function failing(code) {
  return () => {
    throw Object.assign(new Error(`${code}: as the file system says`), { code });
  };
}

// Threads inherit the umask of the process.
if (isMainThread) process.umask(0);
const { openSync, open, mkdirSync, mkdtempSync, writeFileSync, fsyncSync, fstatSync, chmodSync } = fs;
fs.openSync = (path, flags) => openSync(path, flags, mode);
fs.open = (path, flags, ...more) => open(path, flags, mode, more.at(-1));
fs.mkdirSync = (path, options) => mkdirSync(path, { ...options, mode });
fs.mkdtempSync = (...args) => {
  const folder = mkdtempSync(...args);
  chmodSync(folder, mode);
  return folder;
};
fs.writeFileSync = (path, data, options) =>
  writeFileSync(path, data, { ...(typeof options === 'string' ? { encoding: options } : options), mode });
fs.linkSync = failing('EPERM');
fs.symlinkSync = failing('EPERM');
fs.chmodSync = chmodCode === undefined ? () => undefined : failing(chmodCode);
fs.fchmodSync = fs.chmodSync;
fs.fsyncSync = (file) => (fstatSync(file).isDirectory() ? failing('EINVAL')() : fsyncSync(file));
// FUSE creates the file before it reports that it cannot be a socket.
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  if (typeof args[0] !== 'string') return listen.apply(this, args);
  fs.closeSync(openSync(args[0], 'wx', mode));
  process.nextTick(() => this.emit('error', Object.assign(new Error('EIO'), { code: 'EIO' })));
  return this;
};

syncBuiltinESMExports();
