#!/usr/bin/env node
// Becomes dist/cli.js: enables Node.js's compile cache, then runs the bundle.
'use strict';
const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { isAbsolute, join } = require('node:path');

// Deprecation warnings about bundled packages are useless to users; Node.js hides those of packages in node_modules too.
process.noDeprecation = true;

// Node.js 20 has no compile cache. The default folder is in /tmp, where another user could place code, so it is not used. Node.js
// ignores a folder that it cannot write to, but loops forever if the folder is below a missing folder of /proc (seen with 22, 24 and 26).
const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || join(HOME || '', '.cache');
if (isAbsolute(caches) && existsSync(caches)) nodeModule.enableCompileCache?.(join(caches, 'sno-install'));

// Called by worker threads.
module.exports = require(join(__dirname, 'program.js')).runThreadTask;
