// Software bill of materials (SBOM) of the bundle, for vulnerability scanners; CycloneDX 1.6.
// Source: https://cyclonedx.org/docs/1.6/json/
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { importsBetween, titleOf } from './bundled-packages.mjs';

/**
 * The SBOM of a bundle: every package with code in it (scripts/build/bundled-packages.mjs), with its licence and its hash in
 * package-lock.json, libraries compiled into a package, and the imports between packages. Contains no timestamps or random values.
 * Throws if package-lock.json has no hash of a package.
 */
export function billOfMaterials(packages, imports) {
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const refs = new Map([['', programRef()], ...packages.map((each) => [titleOf(each), purlOf(each)])]);
  const components = new Map(packages.map((each) => [purlOf(each), packageComponent(each, locked)]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: program() },
    components: [...components.values()],
    dependencies: [...importsBetween(packages, imports)].map(([from, to]) => ({
      ref: refs.get(from),
      dependsOn: to.map((title) => refs.get(title)),
    })),
  };
}

function program() {
  const { name, version, description, license } = manifest();
  return {
    type: 'application',
    'bom-ref': programRef(),
    name,
    version,
    description,
    licenses: [{ license: { id: license } }],
    purl: programRef(),
  };
}

function programRef() {
  return purlOf(manifest());
}

function manifest() {
  return JSON.parse(readFileSync('package.json', 'utf8'));
}

function packageComponent({ name, version, license, folder }, locked) {
  const [scope, base] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const parts = partsOf(name, folder);
  return {
    type: 'library',
    'bom-ref': purlOf({ name, version }),
    ...(scope === undefined ? {} : { group: scope }),
    name: base,
    version,
    hashes: [hashOf(folder, locked)],
    licenses: [{ license: { id: license } }],
    purl: purlOf({ name, version }),
    ...(parts.length === 0 ? {} : { components: parts }),
  };
}

/** Third-party libraries that a package contains in compiled form; scanners search for their own names. */
function partsOf(name, folder) {
  if (name !== 'node-liblzma') return [];
  const { version } = JSON.parse(readFileSync(join(folder, 'xz-version.json'), 'utf8'));
  const number = version.replace(/^v/, '');
  const library = {
    type: 'library',
    'bom-ref': `pkg:generic/xz@${number}`,
    name: 'xz',
    version: number,
    description: 'liblzma of XZ Utils, as WebAssembly',
    licenses: [{ license: { id: '0BSD' } }],
    cpe: `cpe:2.3:a:tukaani:xz:${number}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/xz@${number}`,
  };
  return [library];
}

/** Hash of the published package. Source: https://w3c.github.io/webappsec-subresource-integrity/ */
function hashOf(folder, locked) {
  const { integrity = '' } = locked[folder.slice(folder.indexOf('/node_modules/') + 1)] ?? {};
  const [algorithm, digest] = integrity.split('-');
  if (algorithm !== 'sha512') throw new Error(`package-lock.json does not contain the SHA-512 of ${folder}`);
  return { alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') };
}

/** Package URL of an npm package. Source: https://github.com/package-url/purl-spec */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
