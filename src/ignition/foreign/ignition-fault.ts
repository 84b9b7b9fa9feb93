import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** Spec version of a validated config: the minor of 3, or 2.2.0, which MachineConfigs may use. */
export type SpecVersion = number | '2.2.0';

/** A fault of an Ignition config that this program did not generate. */
export interface Fault {
  /**
   * `refused`: Ignition rejects the whole config. `unknown`: Ignition ignores the field. `idle`: Ignition accepts the field, which
   * has no effect or another one.
   */
  readonly kind: 'refused' | 'unknown' | 'idle';
  /** Path in the config; for an unknown field, the path of the field itself. */
  readonly path: FieldPath;
  readonly target: 'key' | 'value';
  /** One lower-case sentence without a full stop. Quotes names, never contents. */
  readonly message: string;
  readonly hint?: string;
}

/** A fault for which Ignition rejects the whole config. */
export function rejectedConfig(path: FieldPath, message: string, hint?: string): Fault {
  return { kind: 'refused', path, target: 'value', message, ...(hint !== undefined && { hint }) };
}
