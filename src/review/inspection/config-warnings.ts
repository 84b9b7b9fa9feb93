import { fileNameOf } from '../../config/network/keyfile-faults.js';
import { isProfilePath, profileClash, profileNames } from '../../config/network/profile-clash.js';
import { problem, type Problem } from '../../core/problem.js';
import { validateIgnition } from '../../ignition/foreign/validate-ignition.js';
import { nodeFaults } from '../../ignition/foreign/node-faults.js';
import { entriesAt, fileText } from '../../ignition/foreign/config-entries.js';
import { containsPrivateMaterial } from '../../ignition/private-material.js';
import { embedAreaBytes } from '../../ignition/embedded-size.js';
import { pathText } from '../../formats/yaml/yaml-tree.js';
import { quoted } from '../../core/quoted.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import type { KnownTemplates } from '../output-tree.js';
import type { ListedCertificate } from '../certificates/certificate-list.js';
import { remainingMs, remainingText, nameOf } from '../certificates/remaining-time.js';
import type { InspectedConfig, ShownPart } from './inspect-config.js';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Limit for names listed in one message. */
const maxListedNames = 4;

/** Warnings: inspect/certificate-ended, -ends, -future. */
export function certificateWarnings(
  certificates: readonly ListedCertificate[],
  now: Date,
): readonly Problem[] {
  const state = (each: ListedCertificate): 'ended' | 'ends' | 'future' | 'sound' => {
    const left = remainingMs(each, now);
    if (left <= 0) return 'ended';
    if (Date.parse(each.facts.notBefore) > now.getTime()) return 'future';
    return left <= weekMs ? 'ends' : 'sound';
  };
  const inState = (which: 'ended' | 'ends' | 'future', verb: string): readonly Problem[] => {
    const odd = certificates.filter((each) => state(each) === which);
    const [first] = odd;
    if (first === undefined) return [];
    const when = which === 'future' ? first.facts.notBefore : first.facts.notAfter;
    const others = odd.length === 1 ? '' : `; ${odd.length} certificates in total`;
    const left = which === 'future' ? '' : ` (${remainingText(first, now)})`;
    return [problem(`inspect/certificate-${which}`, `${nameOf(first)} ${verb} ${when}${left}${others}`)];
  };
  return [
    ...inState('ended', 'expired at'),
    ...inState('ends', 'expires at'),
    ...inState('future', 'is not valid before'),
  ];
}

/** Checks one config without the configs embedded in it. Warnings: inspect/spec-version, inspect/ignition. */
export function specWarnings(config: Readonly<Record<string, unknown>>): readonly Problem[] {
  const version = textAt(config, ['ignition', 'version']) ?? '';
  const minor = /^3\.([0-5])\.0$/.exec(version)?.[1];
  if (minor === undefined) {
    const shown = /^[\w.+-]{1,40}$/.test(version) ? version : 'unknown';
    return [
      problem(
        'inspect/spec-version',
        `Ignition spec version ${shown} is not supported: expected 3.0.0 to 3.5.0`,
      ),
    ];
  }
  return validateIgnition(config, Number(minor)).map(({ path, message, hint }) =>
    problem('inspect/ignition', `${pathText(path) || 'the config'}: ${message}`, { hint }),
  );
}

/** Checks the files and units of a config. Warnings: inspect/exposed-secret, inspect/absent-unit. */
export function partWarnings(parts: readonly ShownPart[], { units }: InspectedConfig): readonly Problem[] {
  const exposed = parts
    .filter(({ mode, bytes }) => (mode & 0o044) !== 0 && containsPrivateMaterial(bytes.toString('utf8')))
    .map(({ shown }) => shown);
  const absent = units
    .filter(({ name, state, hasText }) => state === 'enabled' && !hasText && !comesWithSystem(name))
    .map(({ name }) => name);
  return [
    ...(exposed.length === 0
      ? []
      : [
          problem(
            'inspect/exposed-secret',
            `files with secrets are readable by other users: ${named(exposed)}`,
          ),
        ]),
    ...(absent.length === 0
      ? []
      : [problem('inspect/absent-unit', `enabled units are missing in the config: ${named(absent)}`)]),
  ];
}

/** Reports faults that break the boot, the network or a setting of the node. Warnings: inspect/node. */
export function nodeWarnings(configs: readonly unknown[]): readonly Problem[] {
  const texts = (list: readonly string[], key: string) =>
    new Set(configs.flatMap((config) => listAt(config, list).flatMap((entry) => textAt(entry, [key]) ?? [])));
  const otherPaths = texts(['storage', 'files'], 'path');
  return [
    ...configs.flatMap((config) =>
      nodeFaults(config, { otherPaths }).map(({ path, message, hint }) =>
        problem('inspect/node', `${pathText(path)}: ${message}`, { hint }),
      ),
    ),
    ...oddProfiles(configs),
  ];
}

/** Reports NetworkManager profiles that conflict. */
function oddProfiles(configs: readonly unknown[]): readonly Problem[] {
  const profiles = configs
    .flatMap((config) => entriesAt(config, ['storage', 'files']))
    .flatMap(({ path, entry }) => {
      const file = entry['path'];
      const text = fileText(entry);
      const isProfile = typeof file === 'string' && text !== undefined && isProfilePath(file);
      return isProfile ? [{ path, file, names: profileNames(text) }] : [];
    });
  return profiles.flatMap((later, index) => {
    const [first] = profiles.slice(0, index).flatMap((earlier) => {
      const field = earlier.file === later.file ? undefined : profileClash(earlier.names, later.names);
      return field === undefined ? [] : [{ file: earlier.file, field }];
    });
    if (first === undefined) return [];
    const message = `${pathText(later.path)}: the profile and ${quoted(fileNameOf(first.file))} have the same ${first.field}`;
    return [problem('inspect/node', message, { hint: 'keep one of the two profiles' })];
  });
}

/** Prefixes of units that CoreOS contains and configs may enable. Source: fedora-coreos-config overlay.d, 40-coreos.preset */
function comesWithSystem(name: string): boolean {
  return /^(?:systemd-|coreos-|rpm-ostree|getty@|serial-getty@|chronyd|sshd|crio|containerd|kubelet|podman|NetworkManager|nm-cloud-setup|nfs-|rpc|iscsi|multipathd|zincati|auditd|dbus|firewalld|iptables|ip6tables|nftables|openvswitch|docker|qemu-guest-agent|vmtoolsd|tmp\.mount)/.test(
    name,
  );
}

/** Reports resources that are fetched without TLS and without a hash. Warnings: inspect/plain-http. */
export function fetchWarnings(config: unknown): readonly Problem[] {
  const files = listAt(config, ['storage', 'files']).flatMap((file) => [
    fieldAt(file, ['contents']),
    ...listAt(file, ['append']),
  ]);
  const configs = [
    ...listAt(config, ['ignition', 'config', 'merge']),
    fieldAt(config, ['ignition', 'config', 'replace']),
    ...listAt(config, ['ignition', 'security', 'tls', 'certificateAuthorities']),
  ];
  const plain = [...files, ...configs].filter(
    (each) =>
      /^(?:http|tftp):/.test(textAt(each, ['source']) ?? '') &&
      textAt(each, ['verification', 'hash']) === undefined,
  );
  if (plain.length === 0) return [];
  const which = plain.length === 1 ? '1 resource is' : `${plain.length} resources are`;
  return [problem('inspect/plain-http', `${which} fetched over http without a hash`)];
}

/** Reports files of sno-install that differ from this version. Warnings: inspect/other-version. */
export function versionWarnings(parts: readonly ShownPart[], templates: KnownTemplates): readonly Problem[] {
  if (!parts.some(({ path }) => path.endsWith('/sno-install.env'))) return [];
  const isAio = parts.some(({ path }) => path === '/etc/sno-install/sno-install.env');
  const paths = new Set(templates.values());
  // Reporting and post-install manifests append their lines to the list of the live system.
  const appended = [...templates].filter(([, path]) => /^(?!live\/).*\/node-files\.list$/.test(path));
  const withoutAppended = (text: string): string =>
    appended.reduce((rest, [lines]) => rest.replace(lines, () => ''), text);
  const others = parts.filter(
    ({ path, bytes }) =>
      paths.has(`${isAio ? 'aio' : 'live'}${path}`) &&
      !templates.has(withoutAppended(bytes.toString('latin1'))),
  );
  if (others.length === 0) return [];
  const names = named(others.map(({ shown }) => shown));
  return [problem('inspect/other-version', `files differ from this version of sno-install: ${names}`)];
}

/** Warnings: inspect/too-large. */
export function sizeWarnings(embeddedBytes: number, areaBytes = embedAreaBytes): readonly Problem[] {
  if (embeddedBytes <= areaBytes) return [];
  const message = `the compressed config has ${embeddedBytes} bytes; a live ISO has space for ${areaBytes}`;
  return [problem('inspect/too-large', message)];
}

/** Lists the first names and the number of the others. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, maxListedNames).join(', ');
  return names.length <= maxListedNames ? shown : `${shown} and ${names.length - maxListedNames} more`;
}
