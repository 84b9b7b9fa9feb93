// Bundles the compiled modules into the files of dist/.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';

import { billOfMaterials } from './bill-of-materials.mjs';
import { bundledPackages, noteImports } from './bundled-packages.mjs';
import { thirdPartyNotices } from './third-party.mjs';

/**
 * Packages that are not bundled: `dependencies` of package.json, which npm installs with the program. All other imported packages
 * are bundled and belong in `devDependencies`.
 */
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const outside = Object.keys(dependencies);

/** One chunk for all code that `--help` loads and one for all assets of the targets; every other dynamic import is its own chunk. */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  { name: 'make', test: /modules\/target-assets\.js$/, priority: 1 },
];

/** Bundles a compiled module and its imports into a folder. */
export async function bundle(input, dir) {
  const { rolldown } = await import('rolldown');
  const { plugin, imports } = noteImports();
  const bundler = await rolldown({
    input: resolve(input),
    platform: 'node',
    external: isOutside,
    // The ES module build of hash-wasm, which supports tree shaking.
    resolve: { alias: { 'hash-wasm': resolve('node_modules/hash-wasm/dist/index.esm.js') } },
    // Lets the entry chunk export more than `cli.js` does: the other chunks import shared code from it.
    preserveEntrySignatures: 'allow-extension',
    plugins: [noSubcommandPrograms, partsOfNode, plugin],
    // Drops its unused modules for exec, cp and port-forward.
    treeshake: { moduleSideEffects: (id) => !id.includes('/@kubernetes/client-node/') },
    onLog: refuseWarnings,
  });
  const { output } = await bundler.generate({
    // `require` loads a file synchronously without overhead; `import` needs several promise turns per file.
    format: 'cjs',
    dynamicImportInCjs: false,
    // Required by scripts/build/cli.cjs, which becomes dist/cli.js.
    entryFileNames: 'program.js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: { groups },
  });
  await bundler.close();
  mkdirSync(dir);
  // The importing module expects it in its own folder.
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

/** Bundles tinypool's worker entry into the folder where tinypool expects it. Returns its chunks. */
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

/** commander imports node:child_process for subcommands that are executables. There are none, and loading the module takes time. */
const noSubcommandPrograms = {
  name: 'no-subcommand-programs',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (name, importer) => (startsSubcommands(name, importer) ? '\0no-programs' : null),
  },
  load: { filter: { id: /^\0no-programs$/ }, handler: () => 'module.exports = {};' },
};

/** node-liblzma imports Node.js modules by computed names, to hide them from browser bundlers. */
const partsOfNode = {
  name: 'parts-of-node',
  transform: {
    filter: { id: /\/node-liblzma\/lib\/wasm\/bindings\.js$/ },
    handler: (code) => {
      const direct = code.replace(/return import\([^)]*specifier\);/, 'return require(specifier);');
      if (direct === code) throw new Error('node-liblzma loads Node.js modules differently than expected');
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

/** Unresolved or ambiguous imports fail the build instead of failing at the user's site. */
function refuseWarnings(level, log) {
  if (level === 'warn') throw new Error(`${log.code}: ${log.message}`);
}
