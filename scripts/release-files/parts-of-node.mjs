// Components of Node.js, for the SBOM of files that contain it.

/** Vendor and product of the components that the NVD lists separately. */
const products = {
  node: 'nodejs:node.js',
  nghttp2: 'nghttp2:nghttp2',
  openssl: 'openssl:openssl',
  sqlite: 'sqlite:sqlite',
};

/** Entries of `process.versions` without code: interfaces and standards. Source: nodejs.org/api/process.html#processversions */
const notCode = new Set(['node', 'modules', 'napi', 'unicode', 'cldr']);

/**
 * Node.js as a component with its parts, from `process.versions`. Parts without a version there are omitted. The licence file of
 * Node.js, which is part of the release, contains the licences of the parts.
 */
export function componentOfNode(versions) {
  const parts = Object.entries(versions).filter(([name, version]) => !notCode.has(name) && version !== '');
  return {
    ...componentOf('node', versions.node),
    type: 'platform',
    licenses: [{ license: { id: 'MIT' } }],
    components: parts.map(([name, version]) => componentOf(name, version)),
  };
}

function componentOf(name, version) {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  const cpe = Object.hasOwn(products, name)
    ? { cpe: `cpe:2.3:a:${products[name]}:${version}:*:*:*:*:*:*:*` }
    : {};
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...cpe };
}
