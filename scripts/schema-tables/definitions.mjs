// CustomResourceDefinitions in YAML files.
import { parseAllDocuments } from 'yaml';

import { definitionSchema } from '../../.cache/modules/release/schemas/definition-schema.js';

const parsed = new Map();

/**
 * The kinds that the definitions of a branch have: `{ group, version, kind, sets, facts }`. `sets` are the feature sets of the
 * definition; undefined if it has no such annotation.
 */
export function definitionsIn(checkout, branch, files) {
  const found = checkout.filesOf(branch, files);
  const unread = [...new Set(found.map(({ blob }) => blob).filter((blob) => !parsed.has(blob)))];
  const texts = checkout.textsOf(unread);
  unread.forEach((blob, index) => parsed.set(blob, kindsIn(texts[index])));
  return found.flatMap(({ blob }) => parsed.get(blob));
}

/** Texts with Go template actions are skipped document by document. */
function kindsIn(text) {
  if (!text.includes('CustomResourceDefinition')) return [];
  return text
    .split(/^---.*$/m)
    .filter((part) => /^kind: CustomResourceDefinition$/m.test(part))
    .flatMap((part) => {
      const lines = part.split('\n').filter((line) => !/^\s*\{\{/.test(line));
      return parseAllDocuments(lines.join('\n')).flatMap((document) => kindsOf(document.toJS()));
    });
}

const profiles = [
  'include.release.openshift.io/self-managed-high-availability',
  'include.release.openshift.io/single-node-developer',
];

function kindsOf(definition) {
  const { metadata, spec } = definition;
  const annotations = metadata.annotations ?? {};
  const hasProfile = Object.keys(annotations).some((name) =>
    name.startsWith('include.release.openshift.io/'),
  );
  if (hasProfile && !profiles.some((name) => annotations[name] === 'true')) return [];
  const sets = annotations['release.openshift.io/feature-set'];
  // A file without content, such as controller-gen writes for an empty package, has no versions.
  return (spec.versions ?? [])
    .filter(({ served, schema }) => served && schema)
    .map(({ name, schema }) => ({
      group: spec.group,
      version: name,
      kind: spec.names.kind,
      sets: sets?.split(',').map((set) => set.trim()),
      facts: definitionSchema(schema.openAPIV3Schema),
    }));
}
