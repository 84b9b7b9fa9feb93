import { fileNameOf } from '../../config/network/keyfile-faults.js';
import {
  isProfilePath,
  profileClash,
  profileNames,
  type ProfileNames,
} from '../../config/network/profile-clash.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted, maskedWord } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fileText } from '../../ignition/foreign/config-entries.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { kubeletLabelsVariable, roleLabel } from '../../kube/machine-config.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { hostnamePath } from './check-hostname.js';

/** A file, unit, kernel argument or variable of the kubelet in a MachineConfig. */
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
 * Reports files, units, kernel arguments and labels of the kubelet that two MachineConfigs of a pool set, the user's or generated ones. The machine config operator
 * merges MachineConfigs in the order of their names, and the last one wins. Also reports NetworkManager profiles that compete with each other.
 * Problems: manifest/set-twice, manifest/network-profile.
 */
export function settingProblems(manifests: readonly Manifest[]): readonly Problem[] {
  // A problem is reported at the user's file.
  const generatedFirst = manifests
    .filter(isMachineConfig)
    .toSorted((left, right) => Number(left.source !== undefined) - Number(right.source !== undefined));
  return [
    ...repetitions(generatedFirst.flatMap(settingsOf)),
    ...profileProblems(generatedFirst.flatMap(profilesOf)),
  ];
}

function repetitions(settings: readonly Setting[]): readonly Problem[] {
  const seen = new Map<string, Setting>();
  return settings.flatMap((setting) => {
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
      // hostnameProblems checks the host name of the node.
      if (name === hostnamePath && role === 'master') return [];
      // A unit without contents only enables or disables it.
      if (name === undefined || value === undefined || value === '') return [];
      return [
        {
          manifest,
          role,
          what: `${noun} ${name}`,
          path: [...list, index, key],
          // One text may be encoded in several ways.
          value: (noun === 'file' ? fileText(entry) : undefined) ?? JSON.stringify(value),
        },
      ];
    });
  return [
    ...of(['spec', 'config', 'storage', 'files'], 'path', 'file', 'contents'),
    ...of(['spec', 'config', 'systemd', 'units'], 'name', 'unit', 'contents'),
    ...labelVariables(manifest, role),
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

/** Files and drop-ins that set the labels of the kubelet. Their variables replace each other, whatever the files are called. */
function labelVariables(manifest: Manifest, role: string): readonly Setting[] {
  const config = (list: FieldPath): FieldPath => ['spec', 'config', ...list];
  const at = (path: FieldPath) => listAt(manifest.object, path.map(String));
  const files = config(['storage', 'files']);
  const units = config(['systemd', 'units']);
  const texts = [
    ...at(files).map((entry, index) => ({ path: [...files, index, 'path'], text: fileText(entry) })),
    ...at(units).flatMap((unit, index) =>
      listAt(unit, ['dropins']).map((dropin, number) => ({
        path: [...units, index, 'dropins', number, 'name'],
        text: textAt(dropin, ['contents']),
      })),
    ),
  ];
  return texts.flatMap(({ path, text }) => {
    const value = labelAssignment.exec(text ?? '')?.[1];
    return value === undefined
      ? []
      : [{ manifest, role, what: `variable ${kubeletLabelsVariable}`, path, value }];
  });
}

/** A line of an environment file or of a unit. Source: systemd.exec(5), Environment= */
const labelAssignment = new RegExp(`^(?:Environment=["']?)?${kubeletLabelsVariable}=([^"'\\n]*)`, 'm');

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
  const message = `MachineConfig ${maskedWord(name ?? '')} sets the ${thing}${isOne ? ' twice' : `, and so does ${maskedWord(other ?? '')}`}`;
  const hint = isOne
    ? 'remove one'
    : noun === 'variable'
      ? 'the kubelet gets one of them: write all labels in nodeLabels of sno-config.yaml'
      : `the operator merges them by name, so ${maskedWord(winner)} wins: keep one of them`;
  return [problem('manifest/set-twice', message, { at: manifestFieldPlace(source, later.path), hint })];
}

/** A keyfile of NetworkManager in a MachineConfig. */
interface Profile {
  readonly manifest: Manifest;
  readonly role: string;
  readonly file: string;
  readonly path: FieldPath;
  readonly names: ProfileNames;
}

function profilesOf(manifest: Manifest): readonly Profile[] {
  const list = ['spec', 'config', 'storage', 'files'];
  const role = manifest.object.metadata.labels?.[roleLabel] ?? '';
  return listAt(manifest.object, list).flatMap((entry, index) => {
    const file = textAt(entry, ['path']);
    const text = fileText(entry);
    if (file === undefined || text === undefined || !isProfilePath(file)) return [];
    return [{ manifest, role, file, path: [...list, index, 'path'], names: profileNames(text) }];
  });
}

/** Profiles of one path replace each other, which `repetitions` reports. */
function profileProblems(profiles: readonly Profile[]): readonly Problem[] {
  return profiles.flatMap((later, index) => {
    const { source, object } = later.manifest;
    if (source === undefined) return [];
    const clashes = profiles.slice(0, index).flatMap((earlier) => {
      if (earlier.role !== later.role || earlier.file === later.file) return [];
      const field = profileClash(earlier.names, later.names);
      return field === undefined ? [] : [{ earlier, field }];
    });
    const [first] = clashes;
    if (first === undefined) return [];
    const { earlier, field } = first;
    const other = `${quoted(fileNameOf(earlier.file))} of ${maskedWord(earlier.manifest.object.metadata.name)}`;
    const message = `MachineConfig ${maskedWord(object.metadata.name)} has a profile with ${field}, and so does ${other}`;
    const hint =
      earlier.manifest.source === undefined
        ? 'describe the interface in one place: network of sno-config.yaml, which the live system gets too'
        : 'keep one of the two profiles';
    return [
      problem('manifest/network-profile', message, { at: manifestFieldPlace(source, later.path), hint }),
    ];
  });
}
