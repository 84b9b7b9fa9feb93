// Makes the files of a release: the package, executable files, what each is made of, and checksums.
//
//   npm run release-files -- --out DIR [--executables all | PLATFORM,...]
//
// DIR gets the packed package, sno-install-PLATFORM for the platforms that are asked for (npm run single-file) with their licences, beside
// each of them NAME.cdx.json, its bill of materials in CycloneDX 1.6, and SHA256SUMS. Equal sources give equal bytes (npm run reproduce).
// SOURCE_DATE_EPOCH, in seconds, is the time that the bills name; without it they name none.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { billOfArtefact } from './release-files/bill-of-artefact.mjs';
import { componentOfNode } from './release-files/parts-of-node.mjs';
import { nodeBinary, ownPlatform } from './single-file/node-binaries.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' }, executables: { type: 'string' } } });
if (values.out === undefined) end('--out DIR says where the files go');
const out = resolve(values.out);
if (existsSync(out) && readdirSync(out).length > 0) end(`${values.out} has files in it: name a new folder`);
mkdirSync(out, { recursive: true });

const artefacts = [packed(), ...executables(values.executables?.split(',') ?? [])];
const bundle = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
for (const artefact of artefacts) {
  const bill = await billOfArtefact(artefact, bundle, process.env.SOURCE_DATE_EPOCH);
  writeFileSync(join(out, `${artefact.name}.cdx.json`), bill);
}
const sums = readdirSync(out).sort().map(sumLine);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
for (const name of readdirSync(out).sort()) console.log(join(values.out, name));

/** What npm packs, which builds first. */
function packed() {
  const name = run('npm', ['pack', '--silent', '--pack-destination', out]).trim();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const purl = `pkg:npm/sno-install@${version}`;
  return { name, path: join(out, name), kind: 'package', purl: `${purl}?file_name=${name}`, beside: [] };
}

function executables(platforms) {
  if (platforms.length === 0) return [];
  const made = run(process.execPath, ['scripts/single-file.mjs', ...platforms]);
  const files = made.match(/^\S+(?=: \d+ MB$)/gm) ?? [];
  if (files.length === 0) throw new Error('npm run single-file named no file that it made');
  copyFileSync('out/single-file/LICENSES.txt', join(out, 'LICENSES.txt'));
  const beside = [componentOfNode(nodeVersions())];
  const buildId = readFileSync('dist/build-id');
  return files.map((file) => {
    if (!readFileSync(file).includes(buildId)) throw new Error(`${file} is of another build`);
    const name = file.replace(/^.*\//, '');
    copyFileSync(file, join(out, name));
    return { name, path: join(out, name), kind: 'executable', beside };
  });
}

/** Of the Node.js that is laid into executable files: one release for all platforms. */
function nodeVersions() {
  const { optionalDependencies } = JSON.parse(readFileSync('scripts/single-file/package.json', 'utf8'));
  const versions = JSON.parse(run(nodeBinary(ownPlatform()), ['-p', 'JSON.stringify(process.versions)']));
  const other = Object.entries(optionalDependencies).find(([, version]) => version !== versions.node);
  if (other !== undefined) throw new Error(`${other.join(' ')} is not Node.js ${versions.node}`);
  return versions;
}

function sumLine(name) {
  return `${createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex')}  ${name}\n`;
}

function run(program, args) {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`, { cause: error });
  return stdout;
}

function end(message) {
  console.error(message);
  process.exit(2);
}
