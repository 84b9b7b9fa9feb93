import type { Asset } from './asset.js';
import { parentsFirst } from './engine.js';

export type GraphFormat = 'dot' | 'mermaid' | 'json';

export const graphFormats: readonly GraphFormat[] = ['dot', 'mermaid', 'json'];

/** The assets a target needs, as text; arrows point from what is needed to what needs it. Holds names only. */
export function renderGraph(title: string, roots: readonly Asset<unknown>[], format: GraphFormat): string {
  const assets = parentsFirst(roots);
  switch (format) {
    case 'dot':
      return dot(title, roots, assets);
    case 'mermaid':
      return mermaid(roots, assets);
    case 'json':
      return json(title, roots, assets);
  }
}

function dot(title: string, roots: readonly Asset<unknown>[], assets: readonly Asset<unknown>[]): string {
  const nodes = assets.map(({ name }) => `  ${JSON.stringify(name)};`);
  const edges = edgesOf(assets).map(([from, to]) => `  ${JSON.stringify(from)} -> ${JSON.stringify(to)};`);
  const ends = roots.map(({ name }) => `  ${JSON.stringify(name)} [style=bold];`);
  const head = [`strict digraph ${JSON.stringify(title)} {`, '  rankdir=LR;', '  node [shape=box];'];
  return [...head, ...nodes, ...ends, ...edges, '}', ''].join('\n');
}

function mermaid(roots: readonly Asset<unknown>[], assets: readonly Asset<unknown>[]): string {
  const id = new Map(assets.map((asset, index) => [asset.name, `a${index}`]));
  const isRoot = new Set(roots);
  const nodes = assets.map((asset) => {
    const label = isRoot.has(asset) ? `[["${asset.name}"]]` : `["${asset.name}"]`;
    return `  ${id.get(asset.name) ?? ''}${label}`;
  });
  const edges = edgesOf(assets).map(([from, to]) => `  ${id.get(from) ?? ''} --> ${id.get(to) ?? ''}`);
  return ['flowchart LR', ...nodes, ...edges, ''].join('\n');
}

function json(title: string, roots: readonly Asset<unknown>[], assets: readonly Asset<unknown>[]): string {
  const value = {
    target: title,
    roots: roots.map(({ name }) => name),
    assets: assets.map(({ name, needs }) => ({ name, needs: Object.values(needs).map((need) => need.name) })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function edgesOf(assets: readonly Asset<unknown>[]): readonly (readonly [string, string])[] {
  return assets.flatMap((asset) =>
    Object.values(asset.needs).map((need) => [need.name, asset.name] as const),
  );
}
