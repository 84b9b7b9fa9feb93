import type { Asset } from './asset.js';
import { parentsFirst } from './engine.js';

/** Output formats: for Graphviz, for Markdown. */
export type GraphFormat = 'dot' | 'mermaid';

/** Renders the assets of a target; arrows point from parents to dependants. Contains names only. */
export function renderGraph(title: string, roots: readonly Asset<unknown>[], format: GraphFormat): string {
  const assets = parentsFirst(roots);
  switch (format) {
    case 'dot':
      return dot(title, roots, assets);
    case 'mermaid':
      return mermaid(roots, assets);
  }
}

function dot(title: string, roots: readonly Asset<unknown>[], assets: readonly Asset<unknown>[]): string {
  const nodes = assets.map(({ name }) => `  ${JSON.stringify(name)};`);
  const edges = [...edgesOf(assets), ...assets.flatMap(stepEdges)].map(
    ([from, to]) => `  ${JSON.stringify(from)} -> ${JSON.stringify(to)};`,
  );
  const steps = assets.flatMap(stepNames).map((name) => `  ${JSON.stringify(name)} [style=dashed];`);
  const ends = roots.map(({ name }) => `  ${JSON.stringify(name)} [style=bold];`);
  const head = [`strict digraph ${JSON.stringify(title)} {`, '  rankdir=LR;', '  node [shape=box];'];
  return [...head, ...nodes, ...steps, ...ends, ...edges, '}', ''].join('\n');
}

function mermaid(roots: readonly Asset<unknown>[], assets: readonly Asset<unknown>[]): string {
  const steps = assets.flatMap(stepNames);
  const id = new Map([
    ...assets.map((asset, index) => [asset.name, `a${index}`] as const),
    ...steps.map((name, index) => [name, `s${index}`] as const),
  ]);
  const isRoot = new Set(roots);
  const nodes = assets.map((asset) => {
    const label = isRoot.has(asset) ? `[["${asset.name}"]]` : `["${asset.name}"]`;
    return `  ${id.get(asset.name) ?? ''}${label}`;
  });
  const stepNodes = steps.map((name) => `  ${id.get(name) ?? ''}(["${name}"])`);
  const edges = [...edgesOf(assets), ...assets.flatMap(stepEdges)].map(
    ([from, to]) => `  ${id.get(from) ?? ''} --> ${id.get(to) ?? ''}`,
  );
  return ['flowchart LR', ...nodes, ...stepNodes, ...edges, ''].join('\n');
}

/** The assets of a target and their parents, as plain data. */
export function graphData(title: string, roots: readonly Asset<unknown>[]): object {
  const assets = parentsFirst(roots);
  return {
    target: title,
    roots: roots.map(({ name }) => name),
    assets: assets.map(({ name, needs, steps }) => ({
      name,
      dependencies: Object.values(needs).map((need) => need.name),
      ...(steps.length > 0 && { steps }),
    })),
  };
}

/** Names of an asset's steps, made unique by the asset's name. */
function stepNames({ name, steps }: Asset<unknown>): readonly string[] {
  return steps.map((step, index) => `${name} ${index + 1}: ${step}`);
}

/** Edges from each step to the next, and from the last step to the asset. */
function stepEdges(asset: Asset<unknown>): readonly (readonly [string, string])[] {
  const names = stepNames(asset);
  return names.map((name, index) => [name, names[index + 1] ?? asset.name] as const);
}

function edgesOf(assets: readonly Asset<unknown>[]): readonly (readonly [string, string])[] {
  return assets.flatMap((asset) =>
    Object.values(asset.needs).map((need) => [need.name, asset.name] as const),
  );
}
