#!/usr/bin/env node
// dist/cli.js: runs the bundle, each file with the code that V8 made of it at build time, so that a command begins before it is compiled.
// Code that is missing, damaged, of another file or of another Node.js costs the time that it would have saved, and nothing else.
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

// Parts of Node.js that packages in the bundle should use no more are of no interest to who runs it; in node_modules it says as little of them.
process.noDeprecation = true;
const loaded = new Map();
// A thread of the program calls what it exports.
module.exports = load('program.js').inThread;

/** What a file of the bundle exports, as `require` would give it. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const filename = join(__dirname, name);
  const source = readFileSync(filename);
  const script = new Script(source.latin1Slice(), { filename, cachedData: keptCode(filename, source) });
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, requireFrom, module, filename, __dirname, importPackage);
  return module.exports;
}

/** The bundle is flat, and requires its own files as `./NAME`. */
function requireFrom(id) {
  return id.startsWith('./') ? load(id.slice(2)) : require(id);
}

/** For packages that are modules of ECMAScript: `import()` is at home in a file that Node.js itself has loaded. */
function importPackage(id) {
  return import(id);
}

/**
 * The code kept for a source, after 32 bytes of SHA-256 over what it was made of and itself: V8 compares no more of a source than its
 * length, and takes damaged code as it is.
 */
function keptCode(filename, source) {
  let kept;
  try {
    kept = readFileSync(`${filename}.code`);
  } catch {
    return undefined;
  }
  const code = kept.subarray(32);
  const hash = createHash('sha256')
    .update(`${process.version} ${process.platform} ${process.arch}\n`)
    .update(source)
    .update(code);
  return hash.digest().equals(kept.subarray(0, 32)) ? code : undefined;
}
