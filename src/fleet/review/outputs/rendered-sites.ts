import { siteRenderer, type RenderedSite } from './site-renderer.js';
import { join, posix } from 'node:path';

import { isError } from '../../../core/problem.js';
import { namesSecret } from '../../../core/secrets.js';
import type { Variable } from '../../../config/variables.js';
import type { AgeKeys } from '../../../formats/age.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { toData, type YamlNode } from '../../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../../formats/yaml/yaml.js';
import type { LoadedFleet } from '../../table/check-fleet.js';
import { knownNames, siteProblems } from '../../table/site-problems.js';
import type { SiteRow } from '../../table/site-table.js';
import type { Inputs } from '../../../graph/context.js';
import { definitionsFolder, manifestFolders, postInstallFolder } from '../../../manifests/edits/paths.js';
import { maskedValue } from '../../../review/render-text.js';
import { renderedNotes } from '../../../review/tree-kind.js';
import { cachedRenderFile } from '../../../review/render-file.js';
import { filesOf } from '../../table/check-site-files.js';
import { inOrder, type Workers } from '../../threads/in-order.js';
import { ourTemplates } from '../../../run/sources/own-templates.js';
import { workersFor } from '../../threads/workers.js';
import { secretVariables } from '../secret-variables.js';
import { RenderedSitesBuilder, type RenderedSites } from './collected-sites.js';

export interface OutputsRenderOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly keys: AgeKeys;
  /** Threads. */
  readonly jobs: number;
  readonly onSite: OnSite;
}

type OnSite = (done: number) => void;

/** Renders the Ignition configs of all sites as `render ignition` does for a directory. Problems: those of `readSiteOutputs`. */
export async function renderOutputs(
  { fleet, rows }: LoadedFleet,
  { dir, keys, jobs, onSite }: OutputsRenderOptions,
): Promise<RenderedSites> {
  const order = { keys };
  const workers = workersFor(
    { items: rows.length, jobs },
    () => ({ task: 'render', order }),
    () => siteRenderer(order, ourTemplates()),
  );
  try {
    return await collectOutputs(rows, workers, { folder: join(dir, fleet.outputs), onSite });
  } finally {
    await workers.close();
  }
}

async function collectOutputs(
  rows: readonly SiteRow[],
  workers: Workers<string, RenderedSite>,
  { folder, onSite }: { readonly folder: string; readonly onSite: OnSite },
): Promise<RenderedSites> {
  const collected = new RenderedSitesBuilder(renderedNotes.outputs);
  const render = ({ name }: SiteRow): Promise<RenderedSite> => workers.run(join(folder, name));
  let done = 0;
  for await (const [{ name }, { problems, tree }] of inOrder(rows, workers.atOnce, render)) {
    collected.note(name, problems);
    if (tree !== undefined) collected.add(name, tree);
    done += 1;
    onSite(done);
  }
  return collected.all();
}

/**
 * Renders the input files of each site: variables are inserted and overrides are merged over the base. Secrets of the table are masked
 * wherever they are used. Problems: fleet/variable, fleet/override.
 */
export function renderInputs(read: LoadedFleet, onSite: OnSite): RenderedSites {
  const secret = secretVariables(read);
  const known = knownNames(read.fleet, read.table);
  const show = cachedRenderFile();
  const collected = new RenderedSitesBuilder(renderedNotes.inputs);
  const masked = (variables: ReadonlyMap<string, Variable>): ReadonlyMap<string, Variable> =>
    new Map(
      [...variables].map(([name, held]) => [
        name,
        { ...held, value: withoutSecrets(name, held.value, secret) },
      ]),
    );
  const { variables, classVariables } = read.fleet;
  const ofClasses = new Map([...classVariables].map(([name, own]) => [name, masked(own)]));
  const fleet = { ...read.fleet, variables: masked(variables), classVariables: ofClasses };
  const shown = { ...read, fleet };
  for (const [index, row] of read.rows.entries()) {
    const files = filesOf(shown, withoutSecretValues(row, secret));
    const texts = pathsOf(files.inputs).flatMap((path): readonly (readonly [string, string])[] => {
      const found = files.inputs.read(path);
      // Mode 0600 also masks words that may be keys.
      return found.kind === 'file'
        ? [[path, show({ mode: 0o600, bytes: readableYaml(path, Buffer.from(found.bytes)) })]]
        : [];
    });
    const problems = siteProblems(files, [], known);
    collected.note(row.name, problems);
    if (!problems.some(isError)) collected.add(row.name, Object.fromEntries(texts));
    onSite(index + 1);
  }
  return collected.all();
}

/** Merged YAML has quotes around all strings; serializes it again without them. */
function readableYaml(path: string, bytes: Buffer): Buffer {
  const text = bytes.toString('utf8');
  if (!isYamlName(path) || !/^(?:---\n)?\s*"/.test(text)) return bytes;
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return bytes;
  return Buffer.from(documents.map((document) => writeYaml(toData(document))).join('---\n'));
}

/** Files that `create` reads by fixed names. Files that configs refer to are not shown. */
function pathsOf(inputs: Inputs): readonly string[] {
  const folders = [...manifestFolders, postInstallFolder, definitionsFolder].flatMap((folder) =>
    (inputs.list(folder) ?? []).filter((name) => !name.endsWith('/')).map((name) => posix.join(folder, name)),
  );
  return ['install-config.yaml', 'sno-config.yaml', ...folders];
}

function withoutSecretValues(row: SiteRow, secret: ReadonlySet<string>): SiteRow {
  const { known: own, empty } = row.variables;
  const known = [...own].map(
    ([name, held]) => [name, { ...held, value: withoutSecrets(name, held.value, secret) }] as const,
  );
  return { ...row, variables: { known: new Map(known), empty } };
}

/** Masks values of the table whose names indicate secrets. */
function withoutSecrets(name: string, value: YamlNode, secret: ReadonlySet<string>): YamlNode {
  if (secret.has(name) || namesSecret(name))
    return { kind: 'scalar', value: maskedValue, text: maskedValue, span: value.span };
  if (value.kind === 'list')
    return { ...value, items: value.items.map((item) => withoutSecrets('', item, secret)) };
  if (value.kind === 'map')
    return {
      ...value,
      entries: value.entries.map((entry) => ({
        ...entry,
        value: withoutSecrets(entry.key, entry.value, new Set()),
      })),
    };
  return value;
}
