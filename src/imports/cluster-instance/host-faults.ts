import { problem, type Problem } from '../../core/problem.js';
import { embedded } from '../../fleet/cluster-instances/embedded.js';
import { hostNetwork } from '../../fleet/cluster-instances/host-network.js';
import { nodeField, type Instance } from '../../fleet/cluster-instances/instances.js';
import { diskHints, rootDevice } from '../../fleet/cluster-instances/root-device.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';

/** What of a host's values is not taken although its field is. Problems: import/malformed. Warnings: import/no-place. */
export function hostFaults(instance: Instance, isDiskGiven: boolean): readonly Problem[] {
  const { file } = instance.resource;
  const hints = nodeField(instance, ['rootDeviceHints']);
  const config = nodeField(instance, ['nodeNetwork', 'config']);
  const map = nodeField(instance, ['nodeNetwork', 'interfaces']);
  return [
    ...(hints && !isDiskGiven ? surplusHints(hints.node, file, hints.path) : []),
    ...(config && map ? unusedAddresses(config.node, map.node, { file, path: map.path }) : []),
    ...installerArguments(instance),
  ];
}

/** Hints are looked for together on a hub; a path needs no further ones. Warnings: import/no-place. */
export function surplusHints(hints: YamlNode, file: string, path: FieldPath): readonly Problem[] {
  const taken = rootDevice(hints)?.hint;
  return diskHints.flatMap((hint) => {
    const node = nodeAt(hints, [hint]);
    if (node === undefined || hint === taken || taken === undefined) return [];
    const at = { file, path: pathText([...path, hint]), ...node.span };
    const message = `the disk is named by ${taken} already, so ${hint} is not taken`;
    return [problem('import/no-place', message, { at, hint: 'see that both mean the same disk' })];
  });
}

/** Addresses of interfaces that the description of the network does not name. Warnings: import/no-place. */
export function unusedAddresses(
  config: YamlNode,
  map: YamlNode,
  { file, path }: { readonly file: string; readonly path: FieldPath },
): readonly Problem[] {
  const { unused } = hostNetwork(config, map.kind === 'list' ? map.items : []);
  return unused.map((item) =>
    problem('import/no-place', 'no interface of the network is called so, so its address is not taken', {
      at: { file, path: pathText(path), ...item.span },
      hint: 'describe the interface, or leave the address out',
    }),
  );
}

function installerArguments(instance: Instance): readonly Problem[] {
  const found = nodeField(instance, ['installerArgs']);
  if (found?.node.kind !== 'scalar') return [];
  const at = { file: instance.resource.file, path: pathText(found.path), ...found.node.span };
  const list = embedded(found.node);
  if (list?.kind !== 'list') {
    const hint = `write a list of JSON, such as '["--append-karg", "console=ttyS0"]'`;
    return [problem('import/malformed', 'installerArgs is no list of JSON', { at, hint })];
  }
  const words = list.items.map((item) => (item.kind === 'scalar' ? item.text : ''));
  const left = words.filter((word, index) => !isTaken(word, words[index - 1]));
  if (left.length === 0) return [];
  const message = 'installerArgs has arguments other than --append-karg, which have no place in what is made';
  return [problem('import/no-place', message, { at, hint: 'look whether the node needs them' })];
}

/** The network is always copied: that of sno-config.yaml lies on the node. Source: coreos-installer install --copy-network */
function isTaken(word: string, before: string | undefined): boolean {
  return ['--append-karg', '--copy-network', '-n'].includes(word) || before === '--append-karg';
}
