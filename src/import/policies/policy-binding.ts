import type { Place, Problem } from '../../core/problem.js';
import { problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import { nodeAt, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { itemsAt, textAt } from '../resources/resources.js';

/** The labels of the clusters of a policy. An empty value is that of a label with any value. */
export interface Binding {
  readonly labels: ReadonlyMap<string, string>;
}

export interface FoundBinding {
  readonly binding: Binding;
  /** Conditions that are not taken. Warnings: import/left-out. */
  readonly problems: readonly Problem[];
}

export function labelsIn(node: YamlNode | undefined): ReadonlyMap<string, string> {
  const entries = node?.kind === 'map' ? node.entries : [];
  return new Map(
    entries.flatMap(({ key, value }) =>
      value.kind === 'scalar' ? [[key, value.value === null ? '' : value.text] as const] : [],
    ),
  );
}

/** `placement` of a PolicyGenerator, or the selector of a Placement or PlacementRule. */
export function placementOf(node: YamlNode | undefined, file: string): FoundBinding {
  const selector = nodeAtAny(node, ['labelSelector', 'clusterSelector', 'clusterSelectors']) ?? undefined;
  if (node === undefined || selector === undefined) {
    const at: Place = { file, ...node?.span };
    return {
      binding: { labels: new Map() },
      problems: [condition('the policy has no label selector here: its objects are for all sites', at)],
    };
  }
  const direct = labelsIn(selector);
  const labels = new Map([...direct, ...labelsIn(nodeAt(selector, ['matchLabels']))]);
  const problems: Problem[] = [];
  for (const each of itemsAt(selector, ['matchExpressions'])) {
    const [key = '', operator = ''] = [textAt(each, ['key']), textAt(each, ['operator'])];
    const values = itemsAt(each, ['values']).flatMap((value) =>
      value.kind === 'scalar' ? [value.text] : [],
    );
    const [value, other] = values;
    if (operator === 'Exists') labels.set(key, '');
    else if (operator === 'In' && value !== undefined && other === undefined) labels.set(key, value);
    else
      problems.push(
        condition(`the condition ${maskedWord(`${key} ${operator}`)} is not imported`, {
          file,
          ...each.span,
        }),
      );
  }
  return { binding: { labels }, problems };
}

function nodeAtAny(node: YamlNode | undefined, fields: readonly string[]): YamlNode | undefined {
  return fields.map((field) => node && nodeAt(node, [field])).find((found) => found !== undefined);
}

function condition(message: string, at: Place): Problem {
  return problem('import/left-out', message, {
    at,
    hint: 'assign the class to the right sites in sites.csv',
  });
}

/** The layer of a fleet for the objects of a policy. */
export interface PolicyLayer {
  /** `base`, `classes/NAME` or `overrides/SITE`. */
  readonly folder: string;
  readonly labels: ReadonlyMap<string, string>;
}

/** Policies of `common` clusters belong to the base, those of a site to its override, all others to a class named by its labels. */
export function layerOf({ labels }: Binding): PolicyLayer {
  const site = labels.get('sites') ?? labels.get('site');
  if (labels.size === 0 || labels.get('common') === 'true') return { folder: 'base', labels };
  if (site !== undefined && site !== '') return { folder: `overrides/${nameOf(site)}`, labels };
  const name = [...labels].map(([key, value]) => (value === '' ? key : `${key}-${value}`)).join('.');
  return { folder: `classes/${nameOf(name)}`, labels };
}

function nameOf(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '-').replace(/^\./, '-');
}
