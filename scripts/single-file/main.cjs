// What the single executable file runs: the bundle, out of itself. Threads run it too.
'use strict';
const { basename, dirname, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const vm = require('node:vm');
const threads = require('node:worker_threads');

/** What files of the bundle take for their folder: below a file nothing can be, so that no other file is meant by a path in it. */
const folder = join(process.execPath, 'dist');
const read = (name) => Buffer.from(getRawAsset(`dist/${name}`));

/** What the bundle would start as a file of its own, in a thread, is this program again. */
class OwnThread extends threads.Worker {
  constructor(file, options) {
    super(getAsset('main.cjs', 'utf8'), { ...options, eval: true });
  }
}

/** Parts of Node.js that take paths, for files of the bundle that name others beside them. */
const parts = new Map([
  ['node:worker_threads', () => ({ ...threads, Worker: OwnThread })],
  [
    'node:fs/promises',
    () => {
      const files = require('node:fs/promises');
      const readFile = async (path, ...options) =>
        typeof path === 'string' && dirname(path) === folder
          ? read(basename(path))
          : files.readFile(path, ...options);
      return { ...files, readFile };
    },
  ],
]);

process.noDeprecation = true;
const outside = (id) => parts.get(id)?.() ?? require(id);
const loaded = new Map();
if (threads.isMainThread) load('program.js');
else runThread();

/** The thread of the pool asks for the program by its path, which `thread.cjs` turns into this question. */
function runThread() {
  globalThis.programOfThread = () => ({ default: load('program.js').inThread });
  load('thread.js');
}

/** Runs a CommonJS file of the bundle once, and returns its exports. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const filename = join(folder, name);
  const run = vm.compileFunction(getAsset(`dist/${name}`, 'utf8'), parameters, { filename });
  run.call(module.exports, module.exports, requireFrom, module, filename, folder);
  return module.exports;
}

/** The bundle is flat: its files require each other as `./NAME`. */
function requireFrom(id) {
  return id.startsWith('./') ? load(id.slice(2)) : outside(id);
}
