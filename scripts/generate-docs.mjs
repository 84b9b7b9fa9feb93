// Writes the documents that are generated from the program: the diagram in docs/architecture.md, docs/problems.md, docs/graph.md,
// docs/commands.md, docs/commands/, docs/boot.svg, docs/config-rules.md, docs/faults.md, the tables in docs/network.md, docs/import.md and docs/fleet.md, docs/releases.md,
// the reference in docs/boot-flow.md, facts about releases in handwritten documents, and the JSON Schema of
// `--output json`. `npm run generate` writes the JSON Schemas of the configs.
// With --check it writes nothing and fails if a document is out of date. Needs a build.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { architectureDocument } from './docs/architecture.mjs';
import { bootFlowDocument } from './docs/boot-flow/document.mjs';
import { bootDiagram } from './docs/boot-diagram.mjs';
import { commandDocuments } from './docs/commands.mjs';
import { configRulesDocument } from './docs/config-rules.mjs';
import { faultsDocument } from './docs/faults.mjs';
import { graphDocument } from './docs/graph.mjs';
import { importDocument, instanceVariablesDocument } from './docs/imports.mjs';
import { networkDocument } from './docs/network.mjs';
import { outputSchemaDocument } from './docs/output-schema.mjs';
import { problemsDocument } from './docs/problems.mjs';
import { withReleaseWords } from './docs/release-words.mjs';
import { releasesDocument } from './docs/releases.mjs';
import { schemaCatalogDocument } from './docs/schema-catalog.mjs';

const documents = {
  'docs/problems.md': problemsDocument(),
  'docs/boot.svg': bootDiagram(),
  ...commandDocuments(),
  'docs/architecture.md': architectureDocument(textOf('docs/architecture.md')),
  'docs/graph.md': await graphDocument(),
  'docs/config-rules.md': configRulesDocument(),
  'docs/faults.md': faultsDocument(),
  'docs/network.md': await networkDocument(textOf('docs/network.md')),
  'docs/fleet.md': await instanceVariablesDocument(textOf('docs/fleet.md')),
  'docs/import.md': await importDocument(textOf('docs/import.md')),
  'docs/releases.md': releasesDocument(),
  'docs/boot-flow.md': withReleaseWords(bootFlowDocument(textOf('docs/boot-flow.md'))),
  ...Object.fromEntries(
    ['README.md', 'docs/aio.md', 'docs/control-plane.md', 'docs/lab.md'].map((path) => [
      path,
      withReleaseWords(textOf(path)),
    ]),
  ),
  'docs/output.schema.json': outputSchemaDocument(),
  'docs/schema-catalog.json': schemaCatalogDocument(),
};

if (process.argv.includes('--check')) {
  const stale = Object.entries(documents).filter(([path, text]) => textOf(path) !== text);
  for (const [path] of stale) console.error(`${path} is not up to date: run \`npm run docs\``);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync('docs/commands', { recursive: true });
  for (const [path, text] of Object.entries(documents)) writeFileSync(path, text);
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
