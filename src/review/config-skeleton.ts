import { isRecord } from '../core/is-record.js';
import { omitKeys } from '../core/map-record.js';
import { maskedValue, renderText, renderUrl } from './render-text.js';
import { renderManifest } from './render-manifest.js';

/** Limit for nested values; deeper values are cut. */
const deepest = 32;

/**
 * Returns the config without the files, folders, links and units that the tree shows separately. Masks password hashes, request
 * headers, disk keys, and credentials in URLs.
 */
export function configSkeleton(config: Readonly<Record<string, unknown>>): unknown {
  return shown(withoutParts(config), []);
}

/** Returns the config without the files, folders, links and units that the tree shows separately. */
export function withoutParts(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { storage, systemd, ...rest } = config;
  const others = isRecord(storage) ? omitKeys(storage, ['files', 'directories', 'links']) : storage;
  const otherUnits = isRecord(systemd) ? omitKeys(systemd, ['units']) : systemd;
  return { ...rest, ...filled('storage', others), ...filled('systemd', otherUnits) };
}

function filled(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const isEmpty = value === undefined || (isRecord(value) && Object.keys(value).length === 0);
  return isEmpty ? {} : { [name]: value };
}

function shown(value: unknown, path: readonly string[]): unknown {
  if (path.length > deepest) return '<nested too deeply>';
  if (typeof value === 'string') return shownText(value, path);
  if (Array.isArray(value)) return value.map((item) => shown(item, [...path, '[]']));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [renderText(name), shown(member, [...path, name])]),
  );
}

function shownText(text: string, path: readonly string[]): string {
  if (isHidden(path)) return maskedValue;
  return isMerged(path) && text.startsWith('data:')
    ? '<a config of its own>'
    : renderUrl(text, renderManifest);
}

/** An embedded config, which the tree shows separately. */
function isMerged(path: readonly string[]): boolean {
  return /^ignition\/config\/(?:merge\/\[\]|replace)\/source$/.test(path.join('/'));
}

/** Fields that are always secret. Source: coreos.github.io/ignition, configuration-v3_4 */
function isHidden(path: readonly string[]): boolean {
  const [name = ''] = path.slice(-1);
  return (
    name === 'passwordHash' ||
    (path.includes('httpHeaders') && name === 'value') ||
    (path.includes('keyFile') && name === 'source')
  );
}
