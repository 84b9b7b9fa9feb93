import type { Place } from '../../../core/problem.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { NetworkDescription } from '../../schema/network-model.js';
import type { Rule } from '../../schema/rule.js';
import type { NodeNetworks } from '../node-address.js';

/** Input of the network rules: a part of the input of all sno-config.yaml rules. */
export interface NetworkSubject {
  readonly config: { readonly network?: NetworkDescription };
  readonly input: { readonly nodeIP?: string };
  /** Absent if install-config.yaml cannot be read. Its invalid fields must not be used. */
  readonly install:
    | {
        readonly config: { readonly networking: NodeNetworks };
        readonly isSound: (field: string) => boolean;
        readonly placeOf: (path: FieldPath) => Place;
      }
    | undefined;
}

export type NetworkRule = Rule<NetworkSubject>;
