import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { InstallSubject } from './install-subject.js';

/** A machine pool as it was written. */
export type PoolInput = NonNullable<InstallSubject['input']['controlPlane']>;

/** Every machine pool with its path. */
export function poolsOf(
  input: InstallSubject['input'],
): readonly { readonly pool: PoolInput; readonly path: FieldPath }[] {
  return [
    ...(input.controlPlane ? [{ pool: input.controlPlane, path: ['controlPlane'] }] : []),
    ...(input.compute ?? []).map((pool, index) => ({ pool, path: ['compute', index] })),
  ];
}
