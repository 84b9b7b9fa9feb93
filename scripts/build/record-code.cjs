// Loaded before dist/cli.js by the build: when the run ends, the code that V8 has made of each file of the bundle is kept beside it, in the
// form that dist/cli.js reads. Functions that the run called are in it, others are compiled when they are called.
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');

const recorded = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    recorded.push({ script: this, filename: options.filename });
  }
};

process.on('exit', () => {
  for (const { script, filename } of recorded) {
    const code = script.createCachedData();
    const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`);
    hash.update(readFileSync(filename)).update(code);
    writeFileSync(`${filename}.code`, Buffer.concat([hash.digest(), code]));
  }
});
