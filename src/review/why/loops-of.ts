import type { LoopRecord } from '../../loops/recording.js';
import type { Subject } from './subjects.js';

/**
 * The loops that made or changed the object which a file of the control plane holds: a static pod stands in a ConfigMap, and what it
 * mounts in ConfigMaps and Secrets, first under their own names and then, copied, under those of a revision.
 */
export function loopsOf({ inside = '' }: Subject, records: readonly LoopRecord[]): readonly string[] {
  const object = objectOf(inside);
  if (object === undefined) return [];
  return records
    .filter(({ produced }) => produced.some((key) => object.test(key)))
    .map(({ component, loop }) => `${component} ${loop}`);
}

function objectOf(path: string): RegExp | undefined {
  const [, pod] = /\/manifests\/([\w-]+-pod)\.yaml$/.exec(path) ?? [];
  if (pod !== undefined) return new RegExp(`^ConfigMap/[\\w-]+/${pod}(?:-\\d+)?$`);
  const [, kind = '', name = ''] =
    /\/static-pod-resources\/[\w-]+\/(configmaps|secrets)\/([\w.-]+)\//.exec(path) ?? [];
  if (name === '') return undefined;
  return new RegExp(`^${kind === 'secrets' ? 'Secret' : 'ConfigMap'}/[\\w-]+/${escaped(name)}(?:-\\d+)?$`);
}

function escaped(text: string): string {
  return text.replace(/[.]/g, '\\.');
}
