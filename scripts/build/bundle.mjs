// The bundle: dist/ without the launcher (scripts/build/launch.cjs), made of the compiled modules.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inLaunchedForm } from './launched-form.mjs';

/** Packages of many small files that nearly every command reads; the others stay where they are. */
const bundledPackages = /^(?:commander|yaml)(?:\/|$)/;
/**
 * What is read together is one file, each with all that it imports: what the command line takes, what judges the inputs (with what the
 * judge of Ignition configs, which is large and seldom needed, shares with the making), what makes a cluster in place. What else is
 * imported when it is needed stays a file of its own.
 */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  {
    name: 'judge',
    test: /modules\/(cli\/(create|validate)|assets\/(config\/judging|identity\/state-cluster|live\/in-place-checks|manifests\/(user-manifests|needed-edits))|formats\/(data-url|json-schema)|ignition\/(check-paths|unit-text))\.js$/,
    priority: 2,
  },
  {
    name: 'make',
    test: /modules\/assets\/(ignition\/(single-node-ignition|pointer)|identity\/metadata|manifests\/all)\.js$/,
    priority: 1,
  },
];

/** Writes the files of the bundle of a compiled module, and of all that it imports, into a folder. */
export async function bundle(input, dir) {
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    input: resolve(input),
    platform: 'node',
    external: isOutside,
    plugins: [noSubcommandPrograms],
  });
  const { output } = await bundler.generate({
    // `require` reads a file at once and adds nothing to it; `import` goes through queues of promises for each.
    format: 'cjs',
    // As scripts/build/launch.cjs names it, which is dist/cli.js.
    entryFileNames: 'program.js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: { groups },
  });
  await bundler.close();
  mkdirSync(dir);
  for (const { fileName, code } of output) writeFileSync(join(dir, fileName), inLaunchedForm(code, fileName));
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

/** commander would start subcommands that are programs of their own. There are none, and what starts programs takes its time to load. */
const noSubcommandPrograms = {
  name: 'no-subcommand-programs',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (name, importer) => (startsSubcommands(name, importer) ? '\0no-programs' : null),
  },
  load: { filter: { id: /^\0no-programs$/ }, handler: () => 'module.exports = {};' },
};

function isOutside(name, importer) {
  return /^[^./\0]/.test(name) && !bundledPackages.test(name) && !startsSubcommands(name, importer);
}

function startsSubcommands(name, importer) {
  return name === 'node:child_process' && /\/node_modules\/commander\//.test(importer ?? '');
}
