import { join, posix } from 'node:path';

import { isError, type Problem } from '../../../core/problem.js';
import { namesSecret } from '../../../core/secrets.js';
import type { AgeKeys } from '../../../formats/age.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { toData, type YamlNode } from '../../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../../formats/yaml/yaml.js';
import type { LoadedFleet } from '../../check-fleet.js';
import { stateAccessWithKeys } from '../../build/access-with-keys.js';
import { knownNames, siteProblems } from '../../site-problems.js';
import type { SiteRow } from '../../site-table.js';
import type { Inputs } from '../../../graph/context.js';
import { definitionsFolder, manifestFolders, postInstallFolder } from '../../../manifests/edits/paths.js';
import { outputTree, type KnownTemplates } from '../../../review/output-tree.js';
import { maskedValue } from '../../../review/render-text.js';
import type { Tree } from '../../../review/review-tree.js';
import { renderedNotes } from '../../../review/tree-kind.js';
import { cachedRenderFile } from '../../../review/render-file.js';
import { filesOf } from '../../check-site-files.js';
import { inOrder, type Workers } from '../../threads/in-order.js';
import { secretVariables } from '../secret-variables.js';
import { RenderedSitesBuilder, type RenderedSites } from './collected-sites.js';
import { readSiteOutputs } from './site-outputs.js';

/** Result for one site. */
export interface RenderedSite {
  readonly problems: readonly Problem[];
  /** Absent if no Ignition config can be read. */
  readonly tree?: Tree;
}

export interface OutputsRenderOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  /** Each work item is the outputs folder of a site. */
  readonly workers: Workers<string, RenderedSite>;
  readonly onSite?: OnSite;
}

type OnSite = (done: number) => void;

/** Keys that decrypt encrypted outputs. */
export interface RendererOptions {
  readonly keys: AgeKeys;
}

/** Renders the Ignition configs of all sites as `render ignition` does for a directory. Problems: those of `readSiteOutputs`. */
export async function renderOutputs(
  { fleet, rows }: LoadedFleet,
  { dir, workers, onSite = () => undefined }: OutputsRenderOptions,
): Promise<RenderedSites> {
  const collected = new RenderedSitesBuilder(renderedNotes.outputs);
  const render = ({ name }: SiteRow): Promise<RenderedSite> => workers.run(join(dir, fleet.outputs, name));
  let done = 0;
  for await (const [{ name }, { problems, tree }] of inOrder(rows, workers.atOnce, render)) {
    collected.note(name, problems);
    if (tree !== undefined) collected.add(name, tree);
    done += 1;
    onSite(done);
  }
  return collected.all();
}

/** Returns a function that renders the Ignition configs in a site's folder. */
export function siteRenderer(
  { keys }: RendererOptions,
  templates: KnownTemplates,
): (dir: string) => Promise<RenderedSite> {
  const access = stateAccessWithKeys(keys);
  const show = cachedRenderFile();
  return async (dir) => {
    const { files, problems } = await readSiteOutputs(dir, access);
    const configs = files.filter(({ path }) => path.endsWith('.ign'));
    return configs.length === 0 ? { problems } : { problems, tree: outputTree(configs, templates, show) };
  };
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
  const common = new Map(
    [...read.fleet.variables].map(([name, held]) => [
      name,
      { ...held, value: withoutSecrets(name, held.value, secret) },
    ]),
  );
  const shown = { ...read, fleet: { ...read.fleet, variables: common } };
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
