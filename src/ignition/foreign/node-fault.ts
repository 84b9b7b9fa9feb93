import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** A part of a config that Ignition accepts, but that breaks boot or network, or has no effect. */
export interface NodeFault {
  /** `unbootable`: the node does not boot or is offline. `useless`: the node boots, but the setting has no effect or a wrong one. */
  readonly kind: 'unbootable' | 'useless';
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
}
