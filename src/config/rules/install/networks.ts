import type { Networking } from '../../schema/install-config-schema.js';
import { parseCidr, type Cidr } from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';

/** A network of the config with the place it is written at. */
export interface PlacedNetwork {
  readonly list: NetworkList;
  readonly index: number;
  readonly path: FieldPath;
  readonly text: string;
  /** Undefined when the text is not in CIDR notation. */
  readonly cidr: Cidr | undefined;
}

/** A list of networks, by its field of `networking`. */
export type NetworkList = 'machineNetwork' | 'serviceNetwork' | 'clusterNetwork';

/** A network whose text could be read. */
export type ReadNetwork = PlacedNetwork & { readonly cidr: Cidr };

/** The field that holds these networks. */
export function listPath(list: NetworkList): FieldPath {
  return ['networking', list];
}

/** Every network, machines first, then services, then pods: later ones are the ones that collide. */
export function networksOf(networking: Networking): readonly PlacedNetwork[] {
  const { machineNetwork, serviceNetwork, clusterNetwork } = networking;
  return [
    ...machineNetwork.map(({ cidr }, index) => placed('machineNetwork', index, cidr)),
    ...serviceNetwork.map((cidr, index) => placed('serviceNetwork', index, cidr)),
    ...clusterNetwork.map(({ cidr }, index) => placed('clusterNetwork', index, cidr)),
  ];
}

/** Those that name a network. */
export function readNetworksOf(networking: Networking): readonly ReadNetwork[] {
  return networksOf(networking).filter(
    (network): network is ReadNetwork => network.cidr !== undefined && network.cidr.first !== 0n,
  );
}

/** The last part of a path as messages write it: `machineNetwork[0]`. */
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
