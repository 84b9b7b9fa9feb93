import { byCodeUnit } from '../core/compare.js';
import type { Bundle } from './bundle.js';
import {
  isShortened,
  journalLimits,
  readContainerLog,
  readJournal,
  readKernelLines,
  type JournalLine,
} from './journal.js';
import { keptEntries, readRecord, stateOf } from './records.js';
import { flow, servicesOf, type Phase } from './stages.js';
import type { ServiceView } from './trouble.js';

/** The part of a bundle for one phase. */
export interface Scope {
  readonly phase: Phase;
  /** Services with a record, in the order of the boot flow; unknown ones come last. */
  readonly services: readonly ServiceView[];
  readonly journalOf: (unit: string) => readonly JournalLine[];
  /** Path of a unit's journal in the bundle. */
  readonly journalPathOf: (unit: string) => string | undefined;
  readonly hasMarker: (name: string) => boolean;
  readonly failedUnits: readonly string[];
  /** Unreadable parts. */
  readonly bundleNotes: readonly string[];
}

const earlier = 'log-bundle-bootstrap/';

/** The phase that made the bundle; for the installed node also the live phase, if its bundle is included. */
export function scopesOf(bundle: Bundle): { readonly now: Scope; readonly before?: Scope } {
  const phase = phaseOf(bundle);
  if (phase !== 'node') return { now: scopeOf(bundle, phase, '') };
  const hasEarlier = bundle.files.some(({ path }) => path.startsWith(earlier));
  return {
    now: scopeOf(bundle, 'node', ''),
    ...(hasEarlier && { before: scopeOf(bundle, 'live', earlier) }),
  };
}

function phaseOf({ files }: Bundle): Phase {
  if (files.some(({ path }) => isOfAio.test(path))) return 'aio';
  const isNode = files.some(
    ({ path, text = '' }) =>
      path.startsWith(earlier) ||
      path === 'bootstrap/services/sno-etcd-restore.json' ||
      path === 'bootstrap/services/sno-post-install.json' ||
      (path === 'bootstrap/services/bootkube.json' && hasNodeStage(text)),
  );
  return isNode ? 'node' : 'live';
}

/** Records of an all-in-one node, whose bundle may be made before its first boot has begun, or years later. */
const isOfAio = /^bootstrap\/services\/(aiokube|sno-renew|sno-unpack)\.json$/;

function hasNodeStage(text: string): boolean {
  const stages: readonly string[] = flow.flatMap((each) => (each.phase === 'node' ? each.stages : []));
  return (readRecord(text) ?? []).some(({ stage = '' }) => stages.includes(stage));
}

function scopeOf({ files }: Bundle, phase: Phase, prefix: string): Scope {
  const own = files.filter(
    ({ path }) => path.startsWith(prefix) && (prefix !== '' || !path.startsWith(earlier)),
  );
  const texts: Texts = new Map(own.map(({ path, text }) => [path.slice(prefix.length), text ?? '']));
  const journals = journalsIn(texts);
  const journalOf = (unit: string): readonly JournalLine[] => journals.get(unit)?.lines ?? [];
  const records = recordsIn(texts);
  const order = servicesOf(phase).map(({ service }) => service);
  const rank = (service: string): number => (order.includes(service) ? order.indexOf(service) : order.length);
  return {
    phase,
    services: records
      .flatMap(({ service, entries }) =>
        entries === undefined ? [] : [{ service, state: stateOf(entries), journal: journalOf(service) }],
      )
      .toSorted((left, right) => rank(left.service) - rank(right.service)),
    journalOf,
    journalPathOf: (unit) => {
      const path = journals.get(unit)?.path;
      return path === undefined ? undefined : `${prefix}${path}`;
    },
    hasMarker: (name) => texts.has(`rendered-assets/openshift/${name}.done`),
    failedUnits: (texts.get('failed-units.txt') ?? '').match(unitName) ?? [],
    bundleNotes: notesOf(records, [...journals.values()]).map((note) => note.replace('*', prefix)),
  };
}

/** Parts that were not or only partly read; `*` precedes the paths. */
function notesOf(
  records: ReturnType<typeof recordsIn>,
  journals: readonly { readonly path: string; readonly lines: readonly JournalLine[] }[],
): readonly string[] {
  const broken = records.filter(({ entries }) => entries === undefined);
  const longRecords = records.filter(({ entries = [] }) => entries.length >= keptEntries);
  const longLines = journals.filter(({ lines }) => lines.some(isShortened));
  const longJournals = journals.filter(({ lines }) => lines.length >= journalLimits.lines);
  return [
    ...broken.map(({ path }) => `*${path} is not a valid service record`),
    ...longRecords.map(({ path }) => `*${path}: only the last ${keptEntries} entries were read`),
    ...longLines.map(
      ({ path }) =>
        `*${path}: lines of more than ${journalLimits.lineLength} characters were read without their middle`,
    ),
    ...longJournals.map(({ path }) => `*${path}: only the last ${journalLimits.lines} lines were read`),
  ];
}

type Texts = ReadonlyMap<string, string>;

const unitName = /^[\w@.\\-]+\.(service|mount|socket|target)(?=\s|$)/gm;

function recordsIn(texts: Texts) {
  return [...texts].flatMap(([path, text]) => {
    const service = /^bootstrap\/services\/([\w.@-]+)\.json$/.exec(path)?.[1];
    return service === undefined ? [] : [{ service, path, entries: readRecord(text) }];
  });
}

/** Non-empty journals by unit: those of the gather script, otherwise those of the installed node. */
function journalsIn(texts: Texts) {
  const found = [...texts].flatMap(([path, text]) => {
    const unit = /^(?:bootstrap|control-plane\/master)\/journals\/([\w.@-]+)\.log$/.exec(path)?.[1];
    const lines = unit === undefined ? [] : readJournal(text);
    return unit === undefined || lines.length === 0 ? [] : [{ unit, path, lines }];
  });
  // A map keeps the later of two entries.
  const inOrder = found.toSorted((left, right) => byCodeUnit(right.path, left.path));
  return new Map([...inOrder, ...machineLogs(texts)].map(({ unit, ...journal }) => [unit, journal]));
}

/** The lines of the kernel and of etcd as those of units. */
function machineLogs(texts: Texts) {
  const logs = [
    { unit: 'kernel', isOne: /\/journals\/journal\.log\.gz$/, read: readKernelLines },
    { unit: 'etcd', isOne: /\/containers\/etcd-[^/]*\.log$/, read: readContainerLog },
  ];
  return logs.flatMap(({ unit, isOne, read }) => {
    const found = [...texts]
      .filter(([path]) => isOne.test(path))
      .toSorted(([left], [right]) => byCodeUnit(left, right));
    const lines = found.flatMap(([, text]) => read(text));
    return lines.length === 0 ? [] : [{ unit, path: found[0]?.[0] ?? '', lines }];
  });
}
