// Loaded before dist/cli.js by the build: when the run ends, the code that V8 has made of each file of the bundle is kept beside it, in the
// form that dist/cli.js reads. Functions that the run called are in it, others are compiled when they are called. RECORD_CODE_OF says of
// which files: `every file`, or `files without` any code yet.
'use strict';
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');

const recorded = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    recorded.push({ script: this, filename: options.filename });
  }
};

process.on('exit', () => {
  const isLeft = ({ filename }) =>
    process.env.RECORD_CODE_OF === 'files without' && existsSync(`${filename}.code`);
  for (const { script, filename } of recorded.filter((each) => !isLeft(each))) {
    const code = script.createCachedData();
    // As long as code wants its beginning to be aligned.
    const line = `${process.version} ${process.platform} ${process.arch}`.padEnd(63) + '\n';
    writeFileSync(`${filename}.code`, Buffer.concat([Buffer.from(line), code, code, readFileSync(filename)]));
  }
});
