// What Node.js is made of, for the bill of materials of files that hold it.

/** The names of those parts that lists of known faults (NVD) have under a name of their own, as vendor and product. */
const products = {
  node: 'nodejs:node.js',
  nghttp2: 'nghttp2:nghttp2',
  openssl: 'openssl:openssl',
  sqlite: 'sqlite:sqlite',
};

/** Of what Node.js calls versions: interfaces and standards, of which there is no code. Source: nodejs.org/api/process.html#processversions */
const notCode = new Set(['node', 'modules', 'napi', 'unicode', 'cldr']);

/**
 * Node.js as a component with its parts, of its `process.versions`. Parts of which it says no version are left out. The licences of parts
 * stand in the licence of Node.js, which goes with the files.
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
