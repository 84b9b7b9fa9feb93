// Builds the container image of the program: the single executable file, the libraries that it needs, and nothing else.
//
//   npm run image                     for linux/amd64
//   npm run image -- arm64            for linux/arm64
//   npm run image -- all              for both, in one archive
//   npm run image -- --out DIR        into another folder than out/image
//   npm run image -- --revision REV   sets the commit in the image's labels
//   node scripts/image.mjs --renew    updates libraries.json to today's Debian packages, to be committed
//
// Writes sno-install.oci.tar, an OCI image layout, and SHA256SUMS. The output is reproducible: it depends only on the sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { imageConfig, labelsOf } from './image/config.mjs';
import { programEntries, systemEntries } from './image/contents.mjs';
import { layerOf } from './image/layer.mjs';
import { addImage, archiveOf, newLayout } from './image/layout.mjs';
import { libraryEntries } from './image/libraries.mjs';
import { currentLibraries } from './image/renew.mjs';

/** Platform of the single executable file by OCI architecture. */
const platforms = { amd64: 'linux-x64', arm64: 'linux-arm64' };

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'out/image' },
    revision: { type: 'string' },
    renew: { type: 'boolean', default: false },
  },
});
const chosen = asked.includes('all') ? Object.keys(platforms) : asked.length === 0 ? ['amd64'] : asked;
const unknown = chosen.find((name) => !Object.hasOwn(platforms, name));
if (unknown !== undefined) {
  console.error(`unknown platform ${unknown}; platforms: all, ${Object.keys(platforms).join(', ')}`);
  process.exit(2);
}
if (values.renew)
  writeFileSync('scripts/image/libraries.json', `${JSON.stringify(currentLibraries(), undefined, 2)}\n`);
else await makeImage();

async function makeImage() {
  const { name, version, description } = JSON.parse(readFileSync('package.json', 'utf8'));
  const labels = labelsOf({ title: name, description, version, revision: values.revision });
  const files = mkdtempSync(join(tmpdir(), 'sno-install-image-'));
  try {
    makeSingleFiles(files);
    const layout = newLayout();
    const images = [];
    for (const architecture of [...chosen].sort()) {
      const layers = await layersOf(architecture, files);
      images.push(addImage(layout, { architecture, config: imageConfig(labels), layers }));
    }
    // A name without a registry: it is found after loading and never pulled.
    const archive = await archiveOf(layout, {
      images,
      name: `localhost/${name}:${version}`,
      tag: version,
      labels,
    });
    write(archive);
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

function makeSingleFiles(out) {
  const names = chosen.map((architecture) => platforms[architecture]);
  const script = join(import.meta.dirname, 'single-file.mjs');
  const { status } = spawnSync(process.execPath, [script, '--out', out, ...names], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the build of the executables for the image failed');
}

/** Libraries are the lower layer, because they are the same in many releases of the program. */
async function layersOf(architecture, files) {
  const program = readFileSync(join(files, `sno-install-${platforms[architecture]}`));
  const licences = readFileSync(join(files, 'LICENSES.txt'));
  return [
    await layerOf([...systemEntries(), ...(await libraryEntries(architecture))]),
    await layerOf(programEntries(program, licences)),
  ];
}

function write({ bytes, digest }) {
  mkdirSync(values.out, { recursive: true });
  const file = 'sno-install.oci.tar';
  writeFileSync(join(values.out, file), bytes);
  const sum = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(values.out, 'SHA256SUMS'), `${sum}  ${file}\n`);
  console.log(`${join(values.out, file)}: ${Math.round(bytes.length / 1e6)} MB, ${digest}`);
}
