// Bundles the compiled modules into the files of dist/.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';

import { billOfMaterials } from './bill-of-materials.mjs';
import { bundledPackages, noteImports } from './bundled-packages.mjs';
import { thirdPartyNotices } from './third-party.mjs';

/**
 * Packages that stay outside: `dependencies` of package.json, which npm installs beside the program. Whatever else is imported is part of
 * the bundle, and stands in `devDependencies`.
 */
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const outside = Object.keys(dependencies);

/** One file for everything that `--help` loads, one for all assets of the targets; every other dynamic import is a file of its own. */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  { name: 'make', test: /modules\/target-assets\.js$/, priority: 1 },
];

/** Writes the files of the bundle of a compiled module, and of all that it imports, into a folder. */
export async function bundle(input, dir) {
  const { rolldown } = await import('rolldown');
  const { plugin, imports } = noteImports();
  const bundler = await rolldown({
    input: resolve(input),
    platform: 'node',
    external: isOutside,
    // Of its two forms the one of which what is not asked for can be left out.
    resolve: { alias: { 'hash-wasm': resolve('node_modules/hash-wasm/dist/index.esm.js') } },
    // What the program exports for its threads lies among what its other files take from it.
    preserveEntrySignatures: 'allow-extension',
    plugins: [noSubcommandPrograms, partsOfNode, plugin],
    // What it has for shells, copies and ports of containers is not asked for, and not taken with it.
    treeshake: { moduleSideEffects: (id) => !id.includes('/@kubernetes/client-node/') },
    onLog: refuseWarnings,
  });
  const { output } = await bundler.generate({
    // `require` reads a file at once and adds nothing to it; `import` goes through queues of promises for each.
    format: 'cjs',
    dynamicImportInCjs: false,
    // scripts/build/cli.cjs, which becomes dist/cli.js, requires this name.
    entryFileNames: 'program.js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: { groups },
  });
  await bundler.close();
  mkdirSync(dir);
  // Where the module that reads it expects it: beside itself.
  copyFileSync('node_modules/node-liblzma/lib/wasm/liblzma.wasm', join(dir, 'liblzma.wasm'));
  const packages = bundledPackages([...output, ...(await bundleThread(join(dir, 'entry')))]);
  writeFileSync(join(dir, 'THIRD-PARTY.txt'), thirdPartyNotices(packages));
  writeFileSync(
    join(dir, 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials(packages, imports), undefined, 1)}\n`,
  );
  for (const { fileName, code } of output) writeFileSync(join(dir, fileName), code);
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

/** What tinypool starts a thread with, where its other part looks for it: in a folder beside itself. Returns its chunks. */
async function bundleThread(dir) {
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    input: resolve('node_modules/tinypool/dist/entry/worker.js'),
    platform: 'node',
    onLog: refuseWarnings,
  });
  const { output } = await bundler.generate({ format: 'cjs', entryFileNames: 'worker.js', comments: false });
  await bundler.close();
  mkdirSync(dir);
  for (const { fileName, code } of output) writeFileSync(join(dir, fileName), code);
  return output;
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

/** node-liblzma asks for parts of Node.js by computed names, so that bundlers for browsers do not see them. */
const partsOfNode = {
  name: 'parts-of-node',
  transform: {
    filter: { id: /\/node-liblzma\/lib\/wasm\/bindings\.js$/ },
    handler: (code) => {
      const direct = code.replace(/return import\([^)]*specifier\);/, 'return require(specifier);');
      if (direct === code)
        throw new Error('node-liblzma asks for parts of Node.js in another way than was known');
      return { code: direct, map: null };
    },
  },
};

function isOutside(name, importer) {
  if (isBuiltin(name)) return !startsSubcommands(name, importer);
  return outside.some((each) => name === each || name.startsWith(`${each}/`));
}

function startsSubcommands(name, importer) {
  return name === 'node:child_process' && /\/node_modules\/commander\//.test(importer ?? '');
}

/** What is not found, or cannot be told apart, would show when a user meets it. */
function refuseWarnings(level, log) {
  if (level === 'warn') throw new Error(`${log.code}: ${log.message}`);
}
