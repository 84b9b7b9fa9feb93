// Main script of the single executable file: runs the bundle that is embedded in it. Threads run it too.
'use strict';
const { basename, dirname, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const vm = require('node:vm');
const threads = require('node:worker_threads');

/** The bundle's virtual folder. It is below a file, so no real file can have a path in it. */
const folder = join(process.execPath, 'dist');
const read = (name) => Buffer.from(getRawAsset(`dist/${name}`));

/** Threads that the bundle would start from one of its files run this program instead. */
class OwnThread extends threads.Worker {
  constructor(file, options) {
    super(getAsset('main.cjs', 'utf8'), { ...options, eval: true });
  }
}

/** Replacements for Node.js modules that take paths, for bundle files that refer to other bundle files. */
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

/** The pool's thread imports the program by path; `thread.js` calls this function instead. */
function runThread() {
  globalThis.programOfThread = () => ({ default: load('program.js').runThreadTask });
  load('thread.js');
}

/** Runs a CommonJS file of the bundle once and returns its exports. */
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
