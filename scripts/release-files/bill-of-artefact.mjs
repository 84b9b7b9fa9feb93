// SBOM of a release file: the components of its bundle and those outside the bundle.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Validation } from '@cyclonedx/cyclonedx-library';

/** Component type by kind of file. Source: https://cyclonedx.org/docs/1.6/json/#metadata_component_type */
const types = { package: 'application', executable: 'application', image: 'container' };

/**
 * The SBOM of an artefact `{ name, path, kind, purl, beside }` in CycloneDX 1.6, as text. `beside` are its components outside the
 * bundle. Reproducible: the only time in it is SOURCE_DATE_EPOCH (seconds), if given. Throws if the CycloneDX schema rejects it.
 */
export async function billOfArtefact(artefact, bundle, epoch) {
  const { name, path, kind, purl, beside } = artefact;
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  const inner = bundle.metadata.component;
  const root = {
    type: types[kind],
    'bom-ref': name,
    name,
    version: inner.version,
    description: inner.description,
    hashes: [{ alg: 'SHA-256', content: digest }],
    licenses: inner.licenses,
    ...(purl === undefined ? {} : { purl }),
  };
  const bill = {
    ...bundle,
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    metadata: { ...timeOf(epoch), ...bundle.metadata, component: root },
    components: [inner, ...bundle.components, ...beside],
    dependencies: [
      { ref: name, dependsOn: [inner, ...beside].map((each) => each['bom-ref']) },
      ...bundle.dependencies,
      ...beside.map((each) => ({ ref: each['bom-ref'], dependsOn: (each.components ?? []).map(refOf) })),
    ],
  };
  const text = `${JSON.stringify(bill, undefined, 1)}\n`;
  const refused = await new Validation.JsonStrictValidator('1.6').validate(text);
  if (refused !== null)
    throw new Error(`the bill of materials of ${name} is not valid: ${JSON.stringify(refused)}`);
  return text;
}

function refOf(component) {
  return component['bom-ref'];
}

function timeOf(epoch) {
  return epoch === undefined ? {} : { timestamp: new Date(Number(epoch) * 1000).toISOString() };
}

/** A UUID version 8 from a hash. Source: RFC 9562, section 5.8 */
function uuidOf(hex) {
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  const digits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
