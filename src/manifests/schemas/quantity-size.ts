import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { quantity } from './field-formats.js';

const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Value of a quantity such as `100Mi`. Undefined if it is none. */
export function sizeOf(node: YamlNode | undefined): number | undefined {
  if (node?.kind !== 'scalar' || typeof node.value === 'boolean' || node.value === null) return undefined;
  const text = String(node.value);
  if (!quantity.isValid(text)) return undefined;
  const [, number = '', suffix = ''] = /^(.*?)([numkMGTPE]i?)?$/.exec(text) ?? [];
  return Number(number) * (factors[suffix] ?? 1);
}
