import { problem, type Problem } from '../../core/problem.js';
import { quoted, shownWord } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import { placeIn } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';

/** A file, unit or kernel argument of a MachineConfig. */
interface Setting {
  readonly manifest: Manifest;
  readonly role: string;
  /** Kind and name, such as `file /etc/a`. */
  readonly what: string;
  readonly path: FieldPath;
  /** Equal values in two MachineConfigs are not reported, except for kernel arguments. */
  readonly value: string;
}

/**
 * Reports files, units and kernel arguments that two MachineConfigs of a pool set, the user's or generated ones. The machine config operator
 * merges MachineConfigs in the order of their names, and the last one wins. Problems: manifest/set-twice.
 */
export function settingProblems(manifests: readonly Manifest[]): readonly Problem[] {
  const settings = manifests.filter(isMachineConfig).flatMap(settingsOf);
  const seen = new Map<string, Setting>();
  // The problem is reported for the user's file.
  const generatedFirst = [
    ...settings.filter(({ manifest }) => manifest.source === undefined),
    ...settings.filter(({ manifest }) => manifest.source !== undefined),
  ];
  return generatedFirst.flatMap((setting) => {
    const key = `${setting.role}\n${setting.what}`;
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, setting);
    const isSame = earlier?.value === setting.value && !setting.what.startsWith('kernel argument');
    return earlier === undefined || isSame ? [] : twice(earlier, setting);
  });
}

function isMachineConfig({ object: { apiVersion, kind } }: Manifest): boolean {
  return kind === 'MachineConfig' && apiVersion.startsWith('machineconfiguration.openshift.io/');
}

function settingsOf(manifest: Manifest): readonly Setting[] {
  const { object } = manifest;
  const role = object.metadata.labels?.[roleLabel] ?? '';
  const of = (list: FieldPath, key: string, noun: string, valueKey: string): readonly Setting[] =>
    listAt(object, list.map(String)).flatMap((entry, index) => {
      const name = textAt(entry, [key]);
      const value = fieldAt(entry, [valueKey]);
      // A unit without contents only enables or disables it.
      if (name === undefined || value === undefined || value === '') return [];
      return [
        {
          manifest,
          role,
          what: `${noun} ${name}`,
          path: [...list, index, key],
          value: JSON.stringify(value),
        },
      ];
    });
  return [
    ...of(['spec', 'config', 'storage', 'files'], 'path', 'file', 'contents'),
    ...of(['spec', 'config', 'systemd', 'units'], 'name', 'unit', 'contents'),
    ...listAt(object, ['spec', 'kernelArguments']).flatMap((word, index) =>
      typeof word === 'string' && !isRepeatable(word)
        ? [
            {
              manifest,
              role,
              what: `kernel argument ${argumentOf(word)}`,
              path: ['spec', 'kernelArguments', index],
              value: word,
            },
          ]
        : [],
    ),
  ];
}

/** Kernel arguments that may be repeated. Source: kernel.org/doc, admin-guide/kernel-parameters; dracut.cmdline(7) */
function isRepeatable(word: string): boolean {
  return /^(?:console|hugepages|hugepagesz|ip|rd\.[\w.]+|nameserver|module_blacklist|memmap|earlycon|vlan|bond|bridge|route|ifname|systemd\.setenv|systemd\.mount-extra)(?:=|$)/.test(
    word,
  );
}

/** The name of an argument whose last value wins; for other arguments, the whole word. */
function argumentOf(word: string): string {
  const [name = word] = word.split('=');
  return /^(?:isolcpus|nohz_full|rcu_nocbs|default_hugepagesz|intel_iommu|amd_iommu|iommu|mitigations|selinux|enforcing|audit|skew_tick|systemd\.unified_cgroup_hierarchy|intel_pstate|crashkernel|cgroup_no_v1)$/.test(
    name,
  )
    ? name
    : word;
}

function twice(earlier: Setting, later: Setting): readonly Problem[] {
  const { source } = later.manifest;
  if (source === undefined) return [];
  const [name, other] = [later, earlier].map(({ manifest }) => manifest.object.metadata.name);
  const winner = [name ?? '', other ?? ''].toSorted().at(-1) ?? '';
  const [noun = '', ...words] = later.what.split(/ (?=[^ ]*$)/);
  const thing = `${noun} ${quoted(words.join(' '))}`;
  const isOne = earlier.manifest === later.manifest;
  const message = `MachineConfig ${shownWord(name ?? '')} sets the ${thing}${isOne ? ' twice' : `, and so does ${shownWord(other ?? '')}`}`;
  const hint = isOne
    ? 'remove one'
    : `the operator merges them by name, so ${shownWord(winner)} wins: keep one of them`;
  return [problem('manifest/set-twice', message, { at: placeIn(source, later.path), hint })];
}
