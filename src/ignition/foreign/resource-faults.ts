import { isDataUrl } from '../../formats/data-url.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { refused, type Fault } from './ignition-fault.js';
import { entriesAt, isMap, valueAt } from './plain-config.js';

/** Sources that cannot be fetched or decoded, and hashes of nothing. */
export function resourceFaults(config: unknown, minor: number): readonly Fault[] {
  return resourcesIn(config).flatMap((path) => {
    const resource = valueAt(config, path);
    if (!isMap(resource)) return [];
    const { source } = resource;
    const hash = valueAt(resource, ['verification', 'hash']);
    return [
      ...(typeof source === 'string' ? sourceFaults(source, [...path, 'source'], minor) : []),
      ...(typeof hash === 'string'
        ? hashFaults(hash, source, { path: [...path, 'verification', 'hash'], minor })
        : []),
    ];
  });
}

/** Where contents, keys, configs and authorities are named. */
function resourcesIn(config: unknown): readonly FieldPath[] {
  const files = entriesAt(config, ['storage', 'files']);
  const lists: readonly FieldPath[] = [
    ...files.map(({ path }) => [...path, 'append']),
    ['ignition', 'config', 'merge'],
    ['ignition', 'security', 'tls', 'certificateAuthorities'],
  ];
  return [
    ...files.map(({ path }) => [...path, 'contents']),
    ...entriesAt(config, ['storage', 'luks']).map(({ path }) => [...path, 'keyFile']),
    ['ignition', 'config', 'replace'],
    ...lists.flatMap((list) => entriesAt(config, list).map(({ path }) => path)),
  ];
}

/** The schemes that each spec added. Source: coreos.github.io/ignition/migrating-configs */
const schemes: readonly { readonly names: readonly string[]; readonly since: number }[] = [
  { names: ['data', 'http', 'https', 's3', 'tftp'], since: 0 },
  { names: ['gs'], since: 2 },
  { names: ['arn'], since: 4 },
];

function sourceFaults(source: string, path: FieldPath, minor: number): readonly Fault[] {
  if (source === '') return [];
  const scheme = /^([a-z0-9]+):/i.exec(source)?.[1]?.toLowerCase();
  const known = schemes.filter(({ since }) => since <= minor).flatMap(({ names }) => names);
  if (scheme === undefined || !known.includes(scheme)) {
    return [refused(path, `a source must be a URL that starts with ${known.join(':, ')}:`, textHint)];
  }
  if (scheme !== 'data' || isDataUrl(source)) return [];
  return [refused(path, 'a data: URL cannot be decoded', textHint)];
}

const textHint = 'write a text as data:, with every odd character as %XX, or in base64 as data:;base64,';

function hashFaults(
  hash: string,
  source: unknown,
  { path, minor }: { readonly path: FieldPath; readonly minor: number },
): readonly Fault[] {
  if (source === undefined) return [refused(path, 'a hash is given without a source')];
  const isLater = minor < 1 && hash.startsWith('sha256-');
  return isLater
    ? [refused(path, 'hashes of SHA-256 came with Ignition spec 3.1.0', 'give the SHA-512')]
    : [];
}
