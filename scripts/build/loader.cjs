// Loads the files of the bundle, each a function in one expression (scripts/build/launched-form.mjs), as `require` would give them.
'use strict';
const { join } = require('node:path');
const { Script } = require('node:vm');

/**
 * `files.read` gives the bytes of a file by its name, `files.code` those that V8 made of it or undefined; `outside` requires what is not of
 * the bundle. `folder` is what files take for the one they lie in.
 */
module.exports = function loaderOf({ folder, files, outside }) {
  const loaded = new Map();
  return load;

  function load(name) {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = join(folder, name);
    const source = files.read(name);
    const script = new Script(source.latin1Slice(), { filename, cachedData: files.code(name, source) });
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, requireFrom, module, filename, folder, importPackage);
    return module.exports;
  }

  /** The bundle is flat, and requires its own files as `./NAME`. */
  function requireFrom(id) {
    return id.startsWith('./') ? load(id.slice(2)) : outside(id);
  }
};

/** For packages that are modules of ECMAScript: `import()` is at home in a file that Node.js itself has loaded. */
function importPackage(id) {
  return import(id);
}
