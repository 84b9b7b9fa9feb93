// Writes src/release/schemas/tables.generated.ts from published sources; see schema-tables/README.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { servedAt } from '../.cache/modules/release/served-at.js';
import { openCheckout } from './schema-tables/checkout.mjs';
import { definitionsIn } from './schema-tables/definitions.mjs';
import { enumsIn } from './schema-tables/enums-of-go.mjs';
import { newTable, packed } from './schema-tables/fact-table.mjs';
import { openApiFacts } from './schema-tables/facts-of-openapi.mjs';
import { isRequired } from './schema-tables/required-fields.mjs';
import { sourcesPage } from './schema-tables/sources-page.mjs';
import { kubernetesVersions, openShiftReleases, operators, payload } from './schema-tables/sources.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/schema-tables.mjs FOLDER-OF-CHECKOUTS');

/** Groups of API servers that run in pods. Source: openshift/api, openshift/openshift-apiserver and openshift/oauth-apiserver */
const aggregated = [
  'apps',
  'authorization',
  'build',
  'image',
  'oauth',
  'project',
  'route',
  'template',
  'user',
];

const served = new Set(servedAt(undefined).map(({ group, version, kind }) => `${group}/${version}/${kind}`));
const tables = new Map();
const commits = [];

for (const version of kubernetesVersions) readKubernetes(version);
for (const source of payload) readPayload(source);
for (const source of operators) readOperator(source);
writeTables();

function tableOf(group) {
  if (!tables.has(group)) tables.set(group, newTable());
  return tables.get(group);
}

function checkoutOf({ repository }) {
  return openCheckout(join(folder, repository.replace('/', '+'), 'repo'));
}

function readKubernetes(version) {
  const { stdout } = spawnSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`]);
  const { Dir: directory } = JSON.parse(stdout);
  const documents = join(directory, 'api/openapi-spec/v3');
  const enums = enumsIn(directory);
  const release = version.replace(/\.\d+$/, '');
  for (const name of readdirSync(documents).toSorted()) {
    const { components } = JSON.parse(readFileSync(join(documents, name), 'utf8'));
    readOpenApi(components?.schemas ?? {}, { release, enums });
  }
}

function readOpenApi(schemas, { release, enums }) {
  const factsOf = openApiFacts(schemas, { isRequired, enums });
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    for (const { group, version, kind } of kinds) {
      const table = tableOf(group);
      if (!served.has(`${group}/${version}/${kind}`) || table.has({ version, kind, release })) continue;
      table.add({ version, kind, release, from: 'go', facts: factsOf(name) });
    }
  }
  const metadata = Object.keys(schemas).find((name) => name.endsWith('.meta.v1.ObjectMeta'));
  const table = tableOf('meta');
  if (metadata && !table.has({ version: 'v1', kind: 'ObjectMeta', release }))
    table.add({ version: 'v1', kind: 'ObjectMeta', release, facts: factsOf(metadata) });
}

function readPayload(source) {
  const checkout = checkoutOf(source);
  for (const release of source.releases ?? openShiftReleases) {
    const branch = `release-${release}`;
    commits.push([source.repository, branch, checkout.commitOf(branch)]);
    const definitions = definitionsIn(checkout, branch, source.files);
    addDefinitions(
      source.sets ? definitions.map((each) => ({ ...each, sets: source.sets })) : definitions,
      release,
    );
    if (source.openApi) readAggregated(checkout, branch, { source, release });
  }
}

function addDefinitions(definitions, release) {
  // A definition without feature sets serves those that no other definition of the kind names.
  for (const { group, ...each } of definitions.toSorted((left, right) => !left.sets - !right.sets))
    if (!tableOf(group).has({ ...each, release })) tableOf(group).add({ ...each, release });
}

/** Kinds of API servers that run in pods: `com.github.openshift.api.image.v1.ImageStream`. */
function readAggregated(checkout, branch, { source, release }) {
  const [file] = checkout.filesOf(branch, new RegExp(`^${source.openApi.replaceAll('.', '\\.')}$`));
  const { definitions } = JSON.parse(checkout.textsOf([file.blob])[0]);
  const factsOf = openApiFacts(definitions, { isRequired });
  for (const name of Object.keys(definitions)) {
    const [, part, version, kind] = /^com\.github\.openshift\.api\.(\w+)\.(v\w+)\.(\w+)$/.exec(name) ?? [];
    const group = `${part}.openshift.io`;
    if (!aggregated.includes(part) || !definitions[name].properties?.metadata || kind.endsWith('List'))
      continue;
    if (tableOf(group).has({ version, kind, release })) continue;
    tableOf(group).add({ version, kind, release, from: 'go', facts: factsOf(name) });
  }
}

function readOperator(source) {
  const checkout = checkoutOf(source);
  for (const [branch, release] of Object.entries(source.branches)) {
    commits.push([source.repository, branch, checkout.commitOf(branch)]);
    for (const { group, ...each } of definitionsIn(checkout, branch, source.files)) {
      if (!tableOf(group).has({ ...each, release }))
        tableOf(group).add({ ...each, release, from: 'operator' });
    }
  }
}

function writeTables() {
  const parts = [...tables]
    .map(([group, table]) => [group, table.value()])
    .filter(([, { nodes }]) => nodes.length > 0);
  const lines = parts
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([group, value]) => {
      const text = packed(value);
      console.log(
        `${group}: ${Object.keys(value.kinds).length} kinds, ${value.nodes.length} schemas, ${JSON.stringify(value).length} bytes, packed ${text.length}`,
      );
      return `  ${JSON.stringify(group)}:\n    '${text}',\n`;
    });
  writeFileSync(
    'src/release/schemas/tables.generated.ts',
    `// Generated by \`node scripts/schema-tables.mjs FOLDER\`; do not edit.\n\n/** Facts of the kinds of each API group: JSON, compressed by Brotli, in base64. */\nexport const schemaTables: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`,
  );
  writeFileSync('docs/schema-sources.md', sourcesPage(kubernetesVersions, commits));
  spawnSync('npx', ['prettier', '--write', 'docs/schema-sources.md']);
}
