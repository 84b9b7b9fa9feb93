import { printable } from '../../core/printable.js';
import type { IsoFacts } from '../../media/read-medium.js';
import type { ListedCertificate } from '../../review/certificates/certificate-list.js';
import { remainingText, nameOf } from '../../review/certificates/remaining-time.js';
import type { InspectedConfig, InspectedUnit } from '../../review/inspection/inspect-config.js';
import type { Inspection } from '../../review/inspection/inspect-file.js';
import type { NetworkFile } from '../../review/inspection/network-file.js';
import { octal } from '../../review/node-parts.js';
import { renderPath } from '../../review/render-text.js';
import { count } from '../../run/problem-text.js';
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
}

/** Limit for listed network profiles, so that the summary stays within 20 lines. */
const summarizedProfiles = 6;

/** Formats the result of `inspect` as a summary of at most 20 lines. */
export function inspectSummary({ path, now, medium, inspection }: InspectResult): string {
  const summary = [
    ...(inspection ? contentLines(inspection, now) : []),
    ...profileLines([...(medium?.network ?? []), ...(inspection?.network ?? [])]),
  ];
  return blocksText([
    [`${path}: ${kindOf(medium)}`],
    ...(medium ? [mediumLines({ ...medium, files: [] })] : []),
    ...(inspection ? [configLines(inspection)] : []),
    summary,
    summary.length === 0 ? [] : ['`--all` lists certificates, users, units, files and network settings.'],
  ]);
}

/** Formats the summary and every certificate, user, unit, file and network setting. */
export function inspectText({ path, now, medium, inspection }: InspectResult): string {
  return blocksText([
    [`${path}: ${kindOf(medium)}`],
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

function contentLines({ config, certificates }: Inspection, now: Date): readonly string[] {
  const { kernelArguments, users, units, files } = config;
  const enabled = units.filter(({ state }) => state === 'enabled').length;
  const changed = [
    ...kernelArguments.added.map((each) => `+ ${each}`),
    ...kernelArguments.removed.map((each) => `- ${each}`),
  ];
  return [
    ...certificateLines(certificates.certificates, now).slice(0, 1),
    ...(changed.length === 0 ? [] : [`Kernel arguments: ${changed.join(', ')}`]),
    ...(users.length === 0 ? [] : [`Users: ${users.map(({ name }) => name).join(', ')}`]),
    ...(units.length === 0 ? [] : [`Units: ${units.length}, ${enabled} enabled`]),
    ...(files.length === 0 ? [] : [`Files: ${files.length}`]),
  ];
}

/** One line per profile: interface or MAC address, kind, VLAN, bond options, controller, addresses. */
function profileLines(network: readonly NetworkFile[]): readonly string[] {
  if (network.length === 0) return [];
  const left = network.length - summarizedProfiles;
  return [
    `Network: ${count(network.length, 'profile')}`,
    ...network.slice(0, summarizedProfiles).map((file) => `  ${profileText(file)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

function profileText({ path, type, device, settings }: NetworkFile): string {
  const fields = new Map(settings.map((each) => [each.replace(/=.*/s, ''), each.replace(/^[^=]*=/, '')]));
  const valuesOf = (pattern: RegExp): readonly string[] =>
    [...fields].filter(([name]) => pattern.test(name)).map(([, value]) => value);
  const bond = [...fields].filter(([name]) => name.startsWith('bond.'));
  const mac = fields.get('ethernet.mac-address') ?? fields.get('ethernet.cloned-mac-address');
  const controller = fields.get('connection.controller') ?? fields.get('connection.master');
  const details = [
    type === 'vlan' ? undefined : type?.replace('802-3-', ''),
    mac !== undefined && mac !== device ? `MAC ${mac}` : undefined,
    fields.has('vlan.id')
      ? `VLAN ${fields.get('vlan.id') ?? ''} on ${fields.get('vlan.parent') ?? '?'}`
      : undefined,
    ...bond.map(([name, value]) => `${name.slice('bond.'.length)}=${value}`),
    controller === undefined ? undefined : `port of ${controller}`,
    ...valuesOf(/^ipv[46]\.address/),
    ...[...fields]
      .filter(([name, value]) => name.endsWith('.method') && value === 'auto')
      .map(([name]) => `${name.slice(0, 4)} auto`),
  ];
  return `${device ?? path}: ${details.filter((each) => each !== undefined).join(', ')}`;
}

function kindOf(medium: InspectedMedium | undefined): string {
  if (medium === undefined) return 'an Ignition config';
  if (medium.iso === undefined) return 'an initrd overlay';
  return medium.iso.rootfs === undefined ? 'a live ISO' : 'a minimal live ISO';
}

function mediumLines({ files, iso }: InspectedMedium): readonly string[] {
  const { volume, machine, release, configArea, kernelArguments, rootfs } = iso ?? {};
  const boots = [machine && `boots on ${machine}`, release && `OpenShift ${release}`].filter(Boolean);
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

function configLines({ config, cluster, bytes, embedded }: Inspection): readonly string[] {
  const { name, baseDomain, apiHost, releaseImage, architecture, createdBy } = cluster;
  const packed = `${embedded.isExact ? '' : 'at most '}${kilobytes(embedded.bytes)} of ${kilobytes(embedded.limitBytes)}`;
  const line = (title: string, ...words: readonly (string | undefined)[]): readonly string[] => {
    const given = words.filter((word) => word !== undefined);
    return given.length === 0 ? [] : [`${title}: ${given.join(', ')}`];
  };
  return [
    `Config: Ignition spec ${config.specVersion}, ${kilobytes(bytes)}; in a live ISO ${packed}`,
    ...line('Cluster', name, baseDomain && `base domain ${baseDomain}`, apiHost),
    ...line('Release', releaseImage, architecture && `for ${architecture}`),
    ...line('Created by', createdBy),
    ...config.fetchedConfigs.map((url) => `Fetches its config from ${url}`),
    ...(config.mergedConfigs === 0 ? [] : [`Merged configs: ${config.mergedConfigs}`]),
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
    network: [...(medium?.network ?? []), ...(inspection?.network ?? [])],
    ...(inspection && {
      config: { ...inspection.config, bytes: inspection.bytes, embedded: inspection.embedded },
      cluster: inspection.cluster,
      certificates: certsData(inspection.certificates, now),
    }),
  };
}
