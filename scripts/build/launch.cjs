#!/usr/bin/env node
// dist/cli.js: runs the bundle, each file with the code that V8 made of it at build time, so that a command begins before it is compiled.
// Code that is missing, damaged, of another file or of another Node.js costs the time that it would have saved, and nothing else.
'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const loaderOf = require('./loader.js');

// Parts of Node.js that packages in the bundle should use no more are of no interest to who runs it; in node_modules it says as little of them.
process.noDeprecation = true;
const files = { read: (name) => readFileSync(join(__dirname, name)), code: keptCode };
// A thread of the program calls what it exports.
module.exports = loaderOf({ folder: __dirname, files, outside: require })('program.js').inThread;

/**
 * The code kept for a source: behind a line that says by what it was made it stands twice, and then the source. V8 compares no more of a
 * source than its length, and takes damaged code as it is. Bytes are compared, since a hash would take longer: Node.js loads them slowly.
 */
function keptCode(name, source) {
  let kept;
  try {
    kept = readFileSync(join(__dirname, `${name}.code`));
  } catch {
    return undefined;
  }
  const line = `${process.version} ${process.platform} ${process.arch}`.padEnd(63) + '\n';
  const end = kept.length - source.length;
  const middle = (line.length + end) / 2;
  if (!(middle > line.length) || kept.latin1Slice(0, line.length) !== line) return undefined;
  const code = kept.subarray(line.length, middle);
  return code.equals(kept.subarray(middle, end)) && source.equals(kept.subarray(end)) ? code : undefined;
}
