import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** The spec that a config of others is judged by: the minor of 3, or the one of 2 that MachineConfigs may have. */
export type JudgedSpec = number | '2.2.0';

/** What is wrong with an Ignition config that others wrote. */
export interface Fault {
  /**
   * `refused`: Ignition takes nothing of such a config. `unknown`: it does not know the field, and leaves it out. `idle`: it takes
   * the field, which does not do what it says.
   */
  readonly kind: 'refused' | 'unknown' | 'idle';
  /** Below the config; of an unknown field its own. */
  readonly path: FieldPath;
  readonly target: 'key' | 'value';
  /** One lower-case sentence without a full stop. Quotes names, never contents. */
  readonly message: string;
  readonly hint?: string;
}

/** A fault for which Ignition refuses the whole config. */
export function refused(path: FieldPath, message: string, hint?: string): Fault {
  return { kind: 'refused', path, target: 'value', message, ...(hint !== undefined && { hint }) };
}
