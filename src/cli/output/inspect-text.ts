import { printable } from '../../core/printable.js';
import { releaseText } from '../../media/machine-of.js';
import type { IsoFacts } from '../../media/read-medium.js';
import type { ListedCertificate } from '../../review/certificates/certificate-list.js';
import { remainingText, nameOf } from '../../review/certificates/remaining-time.js';
import type { InspectedConfig, InspectedUnit } from '../../review/inspection/inspect-config.js';
import type { Inspection } from '../../review/inspection/inspect-file.js';
import type { NetworkFile } from '../../review/inspection/network-file.js';
import { octal } from '../../review/node-parts.js';
import { renderPath } from '../../review/render-text.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { sheetLines } from '../../review/sheet/show-sheet.js';
import { count } from '../../run/problem-text.js';
import type { SiteSheet } from '../../run/sources/site-sheet.js';
import { kilobytes } from './kilobytes.js';
import { certsData } from './certs-text.js';

/** A medium without its config. */
export interface InspectedMedium {
  readonly files: readonly { readonly path: string; readonly mode: number; readonly bytes: number }[];
  readonly network: readonly NetworkFile[];
  readonly iso?: IsoFacts;
}

export interface InspectResult {
  readonly path: string;
  readonly now: Date;
  readonly medium?: InspectedMedium;
  readonly inspection?: Inspection;
  readonly sheet?: Sheet;
}

/** Formats the sheet, and the numbers of the other contents. */
export function inspectSummary(found: InspectResult): string {
  const { path, now, medium, inspection, sheet } = found;
  return blocksText([
    [`${path}: ${kindOf(medium)}`],
    ...(sheet === undefined && medium ? [mediumLines({ ...medium, files: [] })] : []),
    sheetLines(sheet ?? [], now),
    inspection ? contentLines(inspection, medium) : [],
    inspection || medium ? ['`--all` lists certificates, users, units, files and network settings.'] : [],
  ]);
}

/** Formats the sheet of a directory. */
export function folderText({ path, kind, sheet, now }: ShownFolder): string {
  return blocksText([[`${path}: ${folderKinds[kind]}`], sheetLines(sheet, now)]);
}

interface ShownFolder extends SiteSheet {
  readonly path: string;
  readonly now: Date;
}

const folderKinds: Readonly<Record<SiteSheet['kind'], string>> = {
  configuration: 'a configuration',
  outputs: 'outputs of a site',
  pxe: 'files for network boot',
  medium: 'a boot medium',
};

/** Formats the summary and every certificate, user, unit, file and network setting. */
export function inspectText({ path, now, medium, inspection, sheet }: InspectResult): string {
  return blocksText([
    [`${path}: ${kindOf(medium)}`],
    sheetLines(sheet ?? [], now),
    ...(medium ? [mediumLines(medium)] : []),
    ...(inspection
      ? [
          configLines(inspection),
          certificateLines(inspection.certificates.certificates, now),
          ...partLines(inspection.config),
        ]
      : []),
    networkLines([...(medium?.network ?? []), ...(inspection?.network ?? [])]),
  ]);
}

function blocksText(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.map(printable).join('\n')}\n`)
    .join('\n');
}

/** The format of the config, and the numbers of its parts. */
function contentLines(inspection: Inspection, medium: InspectedMedium | undefined): readonly string[] {
  const { config, certificates, network, cluster } = inspection;
  const { kernelArguments, users, units, files } = config;
  const enabled = units.filter(({ state }) => state === 'enabled').length;
  const profiles = network.length + (medium?.network.length ?? 0);
  const counts = [
    ...numbered(certificates.certificates.length, 'certificate'),
    ...numbered(files.length, 'file'),
    ...numbered(units.length, 'unit').map((units) => `${units} (${enabled} enabled)`),
    ...numbered(profiles, 'network profile'),
    ...(users.length === 0 ? [] : [`users ${users.map(({ name }) => name).join(', ')}`]),
  ];
  const changed = [
    ...kernelArguments.added.map((each) => `+ ${each}`),
    ...kernelArguments.removed.map((each) => `- ${each}`),
  ];
  return [
    sizeLine(inspection),
    ...(cluster.createdBy === undefined ? [] : [`Created by: ${cluster.createdBy}`]),
    ...(counts.length === 0 ? [] : [`Contains: ${counts.join(', ')}`]),
    ...otherConfigLines(config),
    ...(changed.length === 0 ? [] : [`Kernel arguments: ${changed.join(', ')}`]),
  ];
}

function numbered(number: number, name: string): readonly string[] {
  return number === 0 ? [] : [count(number, name)];
}

function kindOf(medium: InspectedMedium | undefined): string {
  if (medium === undefined) return 'an Ignition config';
  if (medium.iso === undefined) return 'an initrd overlay';
  return medium.iso.rootfs === undefined ? 'a live ISO' : 'a minimal live ISO';
}

function mediumLines({ files, iso }: InspectedMedium): readonly string[] {
  const { volume, machine, release, configArea, kernelArguments, rootfs } = iso ?? {};
  const boots = [machine && `boots on ${machine}`, releaseText(release)].filter(Boolean);
  const { text = '', original } = kernelArguments ?? {};
  const appended =
    original !== undefined && text.startsWith(original) ? text.slice(original.length).trim() : '';
  return [
    ...(volume === undefined ? [] : [`Volume ${[volume, ...boots].join(', ')}`]),
    ...(rootfs
      ? [
          `Fetches its root file system from ${rootfs.url ?? 'an unknown URL: the kernel argument is missing'}`,
        ]
      : []),
    ...(configArea
      ? [`Embed area: ${kilobytes(configArea.usedBytes)} of ${kilobytes(configArea.bytes)} used`]
      : []),
    ...(kernelArguments ? [`Kernel arguments: ${text}`] : []),
    ...(appended === '' ? [] : [`  appended: ${appended}`]),
    ...(files.length === 0 ? [] : [`Files for the initramfs: ${files.length}`]),
    ...files.map(({ path, mode, bytes }) => `  ${octal(mode & 0o7777)} ${bytes} ${renderPath(`/${path}`)}`),
  ];
}

function sizeLine({ config, bytes, embedded }: Inspection): string {
  const packed = `${embedded.isExact ? '' : 'at most '}${kilobytes(embedded.bytes)} of ${kilobytes(embedded.limitBytes)}`;
  return `Config: Ignition spec ${config.specVersion}, ${kilobytes(bytes)}; in a live ISO ${packed}`;
}

function configLines(inspection: Inspection): readonly string[] {
  const { config, cluster } = inspection;
  const { name, baseDomain, apiHost, releaseImage, architecture, createdBy } = cluster;
  const line = (title: string, ...words: readonly (string | undefined)[]): readonly string[] => {
    const given = words.filter((word) => word !== undefined);
    return given.length === 0 ? [] : [`${title}: ${given.join(', ')}`];
  };
  return [
    sizeLine(inspection),
    ...line('Cluster', name, baseDomain && `base domain ${baseDomain}`, apiHost),
    ...line('Release', releaseImage, architecture && `for ${architecture}`),
    ...line('Created by', createdBy),
    ...otherConfigLines(config),
  ];
}

function otherConfigLines({ fetchedConfigs, mergedConfigs }: InspectedConfig): readonly string[] {
  return [
    ...fetchedConfigs.map((url) => `Fetches its config from ${url}`),
    ...(mergedConfigs === 0 ? [] : [`Merged configs: ${mergedConfigs}`]),
  ];
}

/** Each certificate once, sorted by expiry. */
function certificateLines(certificates: readonly ListedCertificate[], now: Date): readonly string[] {
  if (certificates.length === 0) return [];
  const [first] = certificates;
  return [
    `Certificates: ${certificates.length}; the first expires at ${first?.facts.notAfter ?? ''}`,
    ...certificates.map((each) => `  ${each.facts.notAfter}  ${remainingText(each, now)}  ${nameOf(each)}`),
  ];
}

function partLines({
  users,
  units,
  files,
  kernelArguments,
}: InspectedConfig): readonly (readonly string[])[] {
  const { added, removed } = kernelArguments;
  const titled = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)];
  return [
    titled('Kernel arguments', [...added.map((each) => `+ ${each}`), ...removed.map((each) => `- ${each}`)]),
    titled(
      'Users',
      users.map(({ name, sshKeys, hasPassword }) =>
        [name, ...sshKeys, ...(hasPassword ? ['a password'] : [])].join(', '),
      ),
    ),
    titled('Units', units.map(unitLine)),
    titled(
      'Files',
      files.map(({ path, mode, owner, bytes, notes }) => {
        const how = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
        return `${mode} ${owner} ${bytes ?? '-'} ${path}${how}`;
      }),
    ),
  ];
}

function unitLine({ name, state, hasText, dropins }: InspectedUnit): string {
  const more = [...(hasText ? [] : ['from the OS']), ...dropins.map((each) => `drop-in ${each}`)];
  const shown = state === 'not-set' ? 'not set' : state;
  return `${shown.padEnd('disabled'.length)} ${name}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function networkLines(network: readonly NetworkFile[]): readonly string[] {
  if (network.length === 0) return [];
  return [
    `Network: ${network.length}`,
    ...network.flatMap(({ path, type, device, settings }) => [
      `  ${path}: ${[type, device].filter(Boolean).join(' ')}`,
      ...settings.map((each) => `    ${each}`),
    ]),
  ];
}

/** Formats the result of `inspect` for JSON output. */
export function inspectData({
  path,
  now,
  medium,
  inspection,
  sheet,
}: InspectResult): Readonly<Record<string, unknown>> {
  return {
    path,
    kind: medium === undefined ? 'ignition' : medium.iso ? 'iso' : 'overlay',
    ...(medium && {
      medium: {
        files: medium.files.map((file) => ({
          path: renderPath(`/${file.path}`),
          mode: octal(file.mode & 0o7777),
          bytes: file.bytes,
        })),
        ...(medium.iso && { iso: medium.iso }),
      },
    }),
    ...(sheet && { sheet }),
    network: [...(medium?.network ?? []), ...(inspection?.network ?? [])],
    ...(inspection && {
      config: { ...inspection.config, bytes: inspection.bytes, embedded: inspection.embedded },
      cluster: inspection.cluster,
      certificates: certsData(inspection.certificates, now),
    }),
  };
}
