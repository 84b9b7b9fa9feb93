// What the single executable file runs: the bundle, out of itself. Threads run it too.
'use strict';
const { basename, dirname, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const threads = require('node:worker_threads');

const loaderOf = require('../build/loader.cjs');

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
const load = loaderOf({ folder, files: { read, code: () => undefined }, outside });
if (threads.isMainThread) load('program.js');
else runThread();

/** The thread of the pool asks for the program by its path, which `thread.cjs` turns into this question. */
function runThread() {
  globalThis.programOfThread = () => ({ default: load('program.js').inThread });
  load('thread.js');
}
