// Builds the files of a release: package, executable files, images, SBOMs, checksums, provenance and signatures.
//
//   npm run release-files -- --out DIR [--executables all | PLATFORM,...] [--image FILE]...
//                            [--key KEY.pem --builder URI [--source URI]]
//
// DIR gets the packed package; sno-install-PLATFORM for the selected platforms (npm run single-file) with their licences; a copy of
// each image (an OCI layout in a tar file); for each of these NAME.cdx.json, its SBOM in CycloneDX 1.6; and SHA256SUMS.
// With a key (ECDSA on P-256, in PEM) the sources must be committed. DIR then also gets NAME.sigstore.json for each file and for
// SHA256SUMS, SHA256SUMS.sig for openssl, and provenance.sigstore.json. The builder's URI identifies the operator of the build, the
// source's URI the repository.
// Everything except the signatures is reproducible (npm run reproduce). The SBOMs contain SOURCE_DATE_EPOCH (seconds) as their time,
// or none if it is not set.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { billOfArtefact } from './release-files/bill-of-artefact.mjs';
import { imageContents } from './release-files/image-contents.mjs';
import { componentOfNode } from './release-files/parts-of-node.mjs';
import { commitOfSources, provenanceOf } from './release-files/provenance.mjs';
import { bundleOfFile, bundleOfStatement, signerOf } from './release-files/signatures.mjs';
import { nodeBinary, ownPlatform } from './single-file/node-binaries.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    executables: { type: 'string', default: '' },
    image: { type: 'string', multiple: true, default: [] },
    key: { type: 'string' },
    builder: { type: 'string' },
    source: { type: 'string' },
  },
});
if (values.out === undefined) end('--out DIR is required');
if ((values.key === undefined) !== (values.builder === undefined))
  end('--key and --builder must be used together');
if (values.builder !== undefined && !URL.canParse(values.builder)) end('--builder must be a URI');
const out = resolve(values.out);
if (existsSync(out) && readdirSync(out).length > 0) end(`${values.out} is not empty: name a new folder`);
// First, so that an unusable key fails before anything is built.
const signer = values.key === undefined ? undefined : signerOf(values.key);
const commit = signer === undefined ? undefined : commitOfSources();
mkdirSync(out, { recursive: true });

const platforms = values.executables.split(',').filter((name) => name !== '');
const artefacts = [packed(), ...executables(platforms)];
for (const image of values.image) artefacts.push(await copiedImage(image));
const bundle = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
for (const artefact of artefacts) {
  const bill = await billOfArtefact(artefact, bundle, process.env.SOURCE_DATE_EPOCH);
  write(`${artefact.name}.cdx.json`, bill);
}
const sums = Object.fromEntries(
  readdirSync(out)
    .sort()
    .map((name) => [name, sha256Of(name)]),
);
const sumLines = Object.entries(sums).map(([name, sum]) => `${sum}  ${name}\n`);
write('SHA256SUMS', sumLines.join(''));
if (signer !== undefined) signAll();
for (const name of readdirSync(out).sort()) console.log(join(values.out, name));

/** Runs `npm pack`, which builds first. */
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
  if (files.length === 0) throw new Error('npm run single-file printed no file names');
  copyFileSync('out/single-file/LICENSES.txt', join(out, 'LICENSES.txt'));
  const beside = [componentOfNode(nodeVersions())];
  const buildId = readFileSync('dist/build-id');
  return files.map((file) => {
    if (!readFileSync(file).includes(buildId)) throw new Error(`${file} belongs to another build`);
    const name = file.replace(/^.*\//, '');
    copyFileSync(file, join(out, name));
    // Independent of the umask.
    chmodSync(join(out, name), 0o755);
    return { name, path: join(out, name), kind: 'executable', beside };
  });
}

/** `process.versions` of the Node.js in the executable files; the same release on all platforms. */
function nodeVersions() {
  const { optionalDependencies } = JSON.parse(readFileSync('scripts/single-file/package.json', 'utf8'));
  const versions = JSON.parse(run(nodeBinary(ownPlatform()), ['-p', 'JSON.stringify(process.versions)']));
  const other = Object.entries(optionalDependencies).find(([, version]) => version !== versions.node);
  if (other !== undefined)
    throw new Error(`the Node.js version of ${other.join(' ')} is not ${versions.node}`);
  return versions;
}

/** Copies an image after checking that it contains an executable file of this build; returns it with its system's packages. */
async function copiedImage(file) {
  const { holds, packages } = await imageContents(file);
  if (!holds(readFileSync('dist/build-id'))) throw new Error(`${file} belongs to another build`);
  const name = basename(file);
  copyFileSync(file, join(out, name));
  return {
    name,
    path: join(out, name),
    kind: 'image',
    beside: [componentOfNode(nodeVersions()), ...packages],
  };
}

function signAll() {
  for (const { name } of [...artefacts, { name: 'SHA256SUMS' }])
    write(`${name}.sigstore.json`, bundleOfFile(signer, readFileSync(join(out, name))));
  write('SHA256SUMS.sig', signer.sign(readFileSync(join(out, 'SHA256SUMS'))));
  const { builder, source } = values;
  const parameters = { executables: platforms, images: values.image.map((file) => basename(file)) };
  const statement = provenanceOf({ files: sums, commit, parameters, builder, source });
  write('provenance.sigstore.json', bundleOfStatement(signer, statement));
}

function write(name, contents) {
  writeFileSync(join(out, name), contents);
}

function sha256Of(name) {
  return createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex');
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
