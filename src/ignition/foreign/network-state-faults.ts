import { quoted, quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import { parseAddress, parseCidr } from '../../formats/cidr.js';
import { interfaceNameFault } from '../../formats/interface-name.js';
import {
  nodeAt,
  pathText,
  type FieldPath,
  type Target,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import {
  everyInterface,
  interfaceTypes,
  networkState,
  sections,
  type StateField,
  type Structure,
  type ScalarForm,
  type ValueForm,
} from './network-state-table.js';

/** A part of a network state that nmstate refuses or ignores. */
export interface StateFault {
  readonly path: FieldPath;
  readonly target: Target;
  /** Whether nmstate ignores the part, instead of refusing the whole state. */
  readonly isIgnored: boolean;
  /** Follows the name of the file or field: `has the unknown field "dest" in routes.config[0]`. */
  readonly message: string;
  readonly hint: string;
}

/** Fields of a policy, which contains a state. Source: nmstate rust/src/lib/policy/net_policy.rs */
const policyStates: readonly string[] = ['desired', 'desiredState'];
const policyNames: readonly string[] = ['capture', 'current', ...policyStates];

/** Faults of a file of nmstate, which contains a state or a policy. */
export function stateFileFaults(root: YamlMap): readonly StateFault[] {
  const isPolicy = root.entries.some(({ key }) => policyNames.includes(key));
  if (!isPolicy) return stateFaults(root, []);
  return root.entries.flatMap(({ key, value }): readonly StateFault[] => {
    if (policyStates.includes(key)) return value.kind === 'map' ? stateFaults(value, [key]) : [];
    return policyNames.includes(key) ? [] : [unknownField([key], policyNames, false)];
  });
}

/** Faults of a state, which may refer to captures. `path` is the place of the state. */
export function stateFaults(root: YamlMap, path: FieldPath): readonly StateFault[] {
  const interfaces = root.entries.find(({ key }) => key === 'interfaces')?.value;
  return [
    ...structureFaults(root, networkState, path),
    ...(interfaces === undefined ? [] : interfacesFaults(interfaces, [...path, 'interfaces'])),
  ];
}

function interfacesFaults(given: YamlNode, path: FieldPath): readonly StateFault[] {
  if (isReference(given)) return [];
  if (given.kind !== 'list') return [misfit(path, given, 'a list of interfaces')];
  return given.items.flatMap((each, index) => {
    const at = [...path, index];
    if (isReference(each)) return [];
    return each.kind === 'map' ? interfaceFaults(each, at) : [misfit(at, each, 'an interface')];
  });
}

function interfaceFaults(given: YamlMap, path: FieldPath): readonly StateFault[] {
  // nmstate reads only the name and type then.
  if (textAt(given, ['state']) === 'absent') return neededFaults(given, everyInterface, path);
  const type = textAt(given, ['type']);
  const own = type === undefined ? undefined : sections[type];
  // Without a type, nmstate takes that of the running interface.
  const fields = new Map([...everyInterface.fields, ...(own ?? everySection())]);
  const found = structureFaults(given, { fields, isOpen: true }, path).map((fault) => {
    const name = fault.path.length === path.length + 1 ? fault.path.at(-1) : undefined;
    return typeof name === 'string' &&
      type !== undefined &&
      own?.has(name) === false &&
      everySection().has(name)
      ? sectionOfOtherType(fault, path, type)
      : fault;
  });
  if (textAt(given, ['state']) === 'ignore') return found;
  return [...found, ...typeFaults(type, path), ...nameFaults(given, path), ...valueFaults(given, path)];
}

function everySection(): ReadonlyMap<string, StateField> {
  return new Map(Object.values(sections).flatMap((own) => [...own]));
}

function sectionOfOtherType(fault: StateFault, path: FieldPath, type: string): StateFault {
  const name = pathText(fault.path.slice(-1));
  return {
    ...fault,
    isIgnored: true,
    message: `has ${name} in ${pathText(path)}, an interface of type ${quotedName(type)}`,
    hint: 'correct the type, or remove the field',
  };
}

/** nmstate takes other types as those of NetworkManager, and does not set them up. */
function typeFaults(type: string | undefined, path: FieldPath): readonly StateFault[] {
  if (type === undefined || type.includes('{{') || interfaceTypes.includes(type)) return [];
  const message = `has the unknown type ${quoted(type)} in ${pathText(path)}`;
  const hint = suggestionOr(type, interfaceTypes, `write one of ${Object.keys(sections).join(', ')}`);
  return [{ path: [...path, 'type'], target: 'value', isIgnored: true, message, hint }];
}

/** Types whose names the kernel does not limit; the name of a loopback is reserved. */
const otherNames: readonly string[] = ['ovs-bridge', 'ipsec', 'loopback'];

function nameFaults(given: YamlMap, path: FieldPath): readonly StateFault[] {
  const isKernelName =
    (textAt(given, ['identifier']) ?? 'name') === 'name' &&
    !otherNames.includes(textAt(given, ['type']) ?? '');
  const names = [
    ...(isKernelName ? [['name']] : []),
    ...Object.keys(sections).map((section) => [section, 'base-iface']),
  ];
  return names.flatMap((below) => {
    const name = textAt(given, below) ?? '';
    const fault = name === '' || name === 'lo' || name.includes('{{') ? undefined : interfaceNameFault(name);
    if (fault === undefined) return [];
    const at = [...path, ...below];
    const message = `has ${quoted(name)} in ${pathText(at)}, which is not a name of an interface: ${fault}`;
    return [refusal(at, message, 'write the name that "ip link" shows, of at most 15 characters')];
  });
}

/** Values that nmstate or NetworkManager refuses after reading them. */
function valueFaults(given: YamlMap, path: FieldPath): readonly StateFault[] {
  const id = textAt(given, ['vlan', 'id']) ?? '';
  const at = [...path, 'vlan', 'id'];
  return [
    ...(/^\d{1,5}$/.test(id) && Number(id) > 4094
      ? [refusal(at, `has ${id} in ${pathText(at)}, expected a VLAN from 0 to 4094`, 'correct the VLAN')]
      : []),
    ...(['ipv4', 'ipv6'] as const).flatMap((family) => addressFaults(given, path, family)),
  ];
}

function addressFaults(given: YamlMap, path: FieldPath, family: 'ipv4' | 'ipv6'): readonly StateFault[] {
  const addresses = nodeAt(given, [family, 'address']);
  if (addresses?.kind !== 'list') return [];
  return addresses.items.flatMap((each, index) => {
    const at = [...path, family, 'address', index];
    const parsed = parseAddress(textAt(each, ['ip']) ?? '');
    if (parsed && parsed.family.toLowerCase() !== family) {
      const message = `has an ${parsed.family} address in ${pathText([...at, 'ip'])}`;
      return [refusal([...at, 'ip'], message, `move it to ${parsed.family.toLowerCase()}`)];
    }
    const bits = family === 'ipv4' ? 32 : 128;
    const prefix = Number(textAt(each, ['prefix-length']));
    if (!(prefix > bits && prefix < 256)) return [];
    const place = [...at, 'prefix-length'];
    const message = `has ${prefix} in ${pathText(place)}, expected a number up to ${bits}`;
    return [refusal(place, message, `write a prefix length such as ${family === 'ipv4' ? '24' : '64'}`)];
  });
}

function textAt(node: YamlNode, path: FieldPath): string | undefined {
  const found = nodeAt(node, path);
  return found?.kind === 'scalar' && found.value !== null ? found.text : undefined;
}

function structureFaults(given: YamlMap, structure: Structure, path: FieldPath): readonly StateFault[] {
  const { fields, isOpen } = structure;
  return [
    ...given.entries.flatMap(({ key, value }): readonly StateFault[] => {
      const field = fields.get(key);
      const at = [...path, key];
      return field ? formFaults(value, field.form, at) : [unknownField(at, [...fields.keys()], isOpen)];
    }),
    ...neededFaults(given, structure, path),
  ];
}

function neededFaults(given: YamlMap, { fields }: Structure, path: FieldPath): readonly StateFault[] {
  const present = new Set(given.entries.map(({ key }) => key));
  return [...fields].flatMap(([name, { isNeeded }]) => {
    if (!isNeeded || present.has(name)) return [];
    const place = path.length === 0 ? '' : ` in ${pathText(path)}`;
    return [refusal([...path, name], `has no ${name}${place}`, `add ${name}`)];
  });
}

function unknownField(path: FieldPath, known: readonly string[], isIgnored: boolean): StateFault {
  const [within, name] = [path.slice(0, -1), String(path.at(-1))];
  const place = within.length === 0 ? '' : ` in ${pathText(within)}`;
  const message = `has the unknown field ${quotedName(name)}${place}`;
  return { path, target: 'key', isIgnored, message, hint: suggestionOr(name, known, 'remove it') };
}

function refusal(path: FieldPath, message: string, hint: string): StateFault {
  return { path, target: 'value', isIgnored: false, message, hint };
}

/** Values of text may be secrets, so the message has only their type. */
function misfit(path: FieldPath, given: YamlNode, expected: string): StateFault {
  return refusal(
    path,
    `has ${described(given)} in ${pathText(path)}, expected ${expected}`,
    `write ${expected}`,
  );
}

function described(given: YamlNode): string {
  if (given.kind !== 'scalar') return given.kind === 'map' ? 'an object' : 'a list';
  if (given.value === null) return 'no value';
  return typeof given.value === 'string' ? quoted(given.text) : `a ${typeof given.value}`;
}

/** nmstate replaces the reference by a value of any type. */
function isReference(given: YamlNode): boolean {
  return given.kind === 'scalar' && given.text.includes('{{');
}

function formFaults(given: YamlNode, form: ValueForm, path: FieldPath): readonly StateFault[] {
  if (isReference(given)) return [];
  switch (form.is) {
    case 'any':
      return [];
    case 'structure':
      if (given.kind === 'map') return structureFaults(given, form.structure, path);
      // `stp` of Open vSwitch is also a boolean.
      return isNull(given) || path.at(-1) === 'stp' ? [] : [misfit(path, given, 'an object')];
    case 'structures':
      return listFaults(given, path, (item, at) =>
        item.kind === 'map' ? structureFaults(item, form.structure, at) : [misfit(at, item, 'an object')],
      );
    case 'texts':
    case 'words':
      return listFaults(given, path, (item, at) =>
        isText(item, form.is === 'words') ? [] : [misfit(at, item, 'a string')],
      );
    case 'flags':
      if (given.kind !== 'map') return isNull(given) ? [] : [misfit(path, given, 'an object')];
      return given.entries.flatMap(({ key, value }) => formFaults(value, { is: 'flag' }, [...path, key]));
    case 'address':
    case 'bool':
    case 'choice':
    case 'flag':
    case 'mac':
    case 'network':
    case 'size':
    case 'text':
    case 'word':
      return given.kind === 'scalar' && isOfForm(given, form) ? [] : [misfit(path, given, expectedOf(form))];
  }
}

function listFaults(
  given: YamlNode,
  path: FieldPath,
  faultsOf: (item: YamlNode, at: FieldPath) => readonly StateFault[],
): readonly StateFault[] {
  if (given.kind !== 'list') return isNull(given) ? [] : [misfit(path, given, 'a list')];
  return given.items.flatMap((item, index) => (isReference(item) ? [] : faultsOf(item, [...path, index])));
}

function isNull(given: YamlNode): boolean {
  return given.kind === 'scalar' && given.value === null;
}

function isText(given: YamlNode, isAnyScalar: boolean): boolean {
  return given.kind === 'scalar' && (isAnyScalar || typeof given.value === 'string');
}

function isOfForm(given: YamlScalar, form: ScalarForm): boolean {
  const { value, text } = given;
  switch (form.is) {
    case 'word':
      return true;
    case 'text':
      return value === null || typeof value === 'string';
    case 'flag':
      return value === null || typeof value === 'boolean';
    case 'bool':
      return typeof value === 'boolean' || /^(?:1|0|true|false|yes|no|on|off|y|n)$/i.test(String(value));
    case 'size':
      return isOfSize(value, form);
    case 'choice':
      // Numbers of bonding options may be written without quotes.
      return value === null || form.values.includes(typeof value === 'string' ? value : text);
    case 'address':
      return value === null || isAddress(text);
    case 'network':
      return value === null || isAddress(text) || parseCidr(text) !== undefined;
    case 'mac':
      return value === null || /^[\da-f]{2}(?::[\da-f]{2})+$/i.test(text);
  }
}

/** Rust also reads IPv4 addresses in IPv6. */
function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined || (text.includes(':') && text.includes('.'));
}

function isOfSize(
  value: YamlScalar['value'],
  { least, most, isStrict }: Extract<ScalarForm, { is: 'size' }>,
): boolean {
  if (value === null) return isStrict;
  if (typeof value === 'string' ? isStrict : !Number.isInteger(value)) return false;
  const written = String(value);
  if (!/^(?:[+-]?\d+|0x[\da-f]+)$/i.test(written)) return false;
  const size = BigInt(written.replace('+', ''));
  return size >= least && size <= most;
}

function expectedOf(form: ScalarForm): string {
  switch (form.is) {
    case 'word':
    case 'text':
      return 'a string';
    case 'flag':
    case 'bool':
      return 'true or false';
    case 'size':
      return form.most < 2n ** 63n - 1n || form.least === 0n
        ? `a number from ${form.least} to ${form.most}`
        : 'a whole number';
    case 'choice':
      return form.values.filter((each) => !/^\d$/.test(each)).join(', ');
    case 'address':
      return 'an IP address';
    case 'network':
      return 'a network such as 192.168.0.0/24';
    case 'mac':
      return 'a MAC address such as 52:54:00:12:34:56';
  }
}
