import { byCodeUnit } from '../../core/compare.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { renderWord } from '../render-text.js';
import type { ConfigTexts, ManifestObject } from './config-texts.js';
import { isGeneratedManifest } from './generated-manifests.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** The user's objects that the bootstrap applies, by kind. */
export function objectRows({ manifests }: ConfigTexts): readonly SheetRow[] {
  const byKind = new Map<string, ManifestObject['object'][]>();
  for (const { file, object } of manifests) {
    if (isGeneratedManifest(file)) continue;
    const kind = textAt(object, ['kind']) ?? '?';
    byKind.set(kind, [...(byKind.get(kind) ?? []), object]);
  }
  return [...byKind]
    .toSorted(([left], [right]) => byCodeUnit(left, right))
    .flatMap(([kind, objects]) => row('object', kind, objects.map(objectText)));
}

function objectText(object: ManifestObject['object']): string {
  const name = textAt(object, ['metadata', 'name']) ?? '?';
  const namespace = textAt(object, ['metadata', 'namespace']);
  const details = textAt(object, ['kind']) === 'PerformanceProfile' ? profileTexts(object) : [];
  const title = namespace === undefined ? name : `${namespace}/${name}`;
  return details.length === 0 ? title : `${title} (${details.join('; ')})`;
}

/** The settings of a PerformanceProfile that decide about CPUs, memory and the kernel. Source: cluster-node-tuning-operator, performanceprofile_types.go */
function profileTexts(profile: unknown): readonly string[] {
  const cpus = ['reserved', 'isolated', 'offlined', 'shared'].flatMap((name) => {
    const set = textAt(profile, ['spec', 'cpu', name]);
    return set === undefined ? [] : [`${name} CPUs ${set}`];
  });
  const pages = listAt(profile, ['spec', 'hugepages', 'pages']).map((page) => {
    const node = fieldAt(page, ['node']);
    const place = typeof node === 'number' ? ` on NUMA node ${node}` : '';
    return `${String(fieldAt(page, ['count']))} pages of ${textAt(page, ['size']) ?? '?'}${place}`;
  });
  const topology = textAt(profile, ['spec', 'numa', 'topologyPolicy']);
  const isRealTime = fieldAt(profile, ['spec', 'realTimeKernel', 'enabled']) === true;
  const added = strings(listAt(profile, ['spec', 'additionalKernelArgs']));
  return [
    ...cpus,
    ...pages,
    ...(topology === undefined ? [] : [`topology ${topology}`]),
    ...(isRealTime ? ['real-time kernel'] : []),
    ...(added.length === 0 ? [] : [`kernel arguments ${added.map((each) => renderWord(each)).join(' ')}`]),
  ];
}

/** Columns of objects.tsv. */
const columns = { wave: 0, kind: 3, namespace: 4, name: 5 };

/** The objects that the installed node applies, by wave. */
export function postInstallRows({ textOf }: ConfigTexts): readonly SheetRow[] {
  const waves = new Map<string, string[]>();
  const lines = textOf('/opt/openshift/post-install/objects.tsv').split('\n');
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
    const cells = line.split('\t');
    const [wave = '?', kind = '?', name = '?'] = [columns.wave, columns.kind, columns.name].map(
      (at) => cells[at],
    );
    waves.set(wave, [...(waves.get(wave) ?? []), `${kind} ${name}`]);
  }
  return [...waves].flatMap(([wave, objects]) =>
    row('wave', wave === 'last' ? 'Last wave' : `Wave ${wave}`, objects),
  );
}
