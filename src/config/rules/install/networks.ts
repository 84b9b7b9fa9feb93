import type { Networking } from '../../schema/install-config-schema.js';
import { parseCidr, type Cidr } from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';

/** A network of the config with its position. */
export interface PlacedNetwork {
  readonly list: NetworkList;
  readonly index: number;
  readonly path: FieldPath;
  readonly text: string;
  /** Undefined if the text is not in CIDR notation. */
  readonly cidr: Cidr | undefined;
}

export type NetworkList = 'machineNetwork' | 'serviceNetwork' | 'clusterNetwork';

/** A network in valid CIDR notation. */
export type ReadNetwork = PlacedNetwork & { readonly cidr: Cidr };

export function listPath(list: NetworkList): FieldPath {
  return ['networking', list];
}

/** All networks: machine networks, then service networks, then cluster networks. Overlaps are reported for the later one. */
export function networksOf(networking: Networking): readonly PlacedNetwork[] {
  const { machineNetwork, serviceNetwork, clusterNetwork } = networking;
  return [
    ...machineNetwork.map(({ cidr }, index) => placed('machineNetwork', index, cidr)),
    ...serviceNetwork.map((cidr, index) => placed('serviceNetwork', index, cidr)),
    ...clusterNetwork.map(({ cidr }, index) => placed('clusterNetwork', index, cidr)),
  ];
}

export function readNetworksOf(networking: Networking): readonly ReadNetwork[] {
  return networksOf(networking).filter(
    (network): network is ReadNetwork => network.cidr !== undefined && network.cidr.first !== 0n,
  );
}

/** Name of a network for messages: `machineNetwork[0]`. */
export function nameOf({ list, index }: Pick<PlacedNetwork, 'list' | 'index'>): string {
  return `${list}[${index}]`;
}

function placed(list: NetworkList, index: number, text: string): PlacedNetwork {
  const item: FieldPath = [...listPath(list), index];
  return {
    list,
    index,
    path: list === 'serviceNetwork' ? item : [...item, 'cidr'],
    text,
    cidr: parseCidr(text),
  };
}
