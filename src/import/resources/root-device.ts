import { nodeAt, type YamlEntry, type YamlNode, type YamlScalar } from '../../formats/yaml/yaml-tree.js';

/** Hints with a text. Source: metal3-io/baremetal-operator RootDeviceHints */
const textHints = [
  'deviceName',
  'hctl',
  'model',
  'vendor',
  'serialNumber',
  'wwn',
  'wwnWithExtension',
  'wwnVendorExtension',
] as const;

/** All hints, in the order of the schema. */
export const diskHints = [...textHints, 'minSizeGigabytes', 'rotational'] as const;

/** The installation disk of a host. */
export interface RootDevice {
  /** The path, if `deviceName` is the only hint. */
  readonly disk?: YamlScalar;
  /** Otherwise the hints that are set. */
  readonly hints?: YamlNode;
}

/** Reads `rootDeviceHints`. Empty texts and a size of 0 count as not set, as in metal3. */
export function rootDevice(node: YamlNode): RootDevice {
  const given = diskHints.flatMap((key): readonly YamlEntry[] => {
    const value = nodeAt(node, [key]);
    if (value?.kind !== 'scalar' || value.text === '' || value.value === null || value.value === 0) return [];
    const isText = textHints.some((name) => name === key);
    return [{ key, keySpan: value.span, value: isText ? { ...value, value: value.text } : value }];
  });
  const [first, ...others] = given;
  if (first === undefined) return {};
  if (others.length === 0 && first.key === 'deviceName' && first.value.kind === 'scalar')
    return { disk: first.value };
  return { hints: { kind: 'map', entries: given, span: node.span } };
}
