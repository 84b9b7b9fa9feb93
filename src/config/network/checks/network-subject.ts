import type { NetworkDescription } from '../../schema/network-model.js';
import type { Rule } from '../../schema/rule.js';
import type { NodeNetworks } from '../chosen-address.js';

/** What the rules of a network look at: a part of what all rules of sno-config.yaml see. */
export interface NetworkSubject {
  readonly config: { readonly network?: NetworkDescription };
  readonly input: { readonly nodeIP?: string };
  /** Absent when install-config.yaml cannot be read; fields of it that are not sound say nothing. */
  readonly install:
    | {
        readonly config: { readonly networking: NodeNetworks };
        readonly isSound: (field: string) => boolean;
      }
    | undefined;
}

/** A rule of `network` in sno-config.yaml. */
export type NetworkRule = Rule<NetworkSubject>;
