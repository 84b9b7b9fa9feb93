// Describes the first difference between two folders of release files.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { unpackTar } from 'modern-tar';

/** Differences between two folders, one line per file; empty if names, modes and contents are the same. */
export async function differencesOf(one, other) {
  const names = [...new Set([...readdirSync(one), ...readdirSync(other)])].sort();
  const told = await Promise.all(names.map((name) => differenceOf(name, join(one, name), join(other, name))));
  return told.filter((text) => text !== undefined);
}

async function differenceOf(name, ...paths) {
  const missing = paths.findIndex((path) => !existsSync(path));
  if (missing >= 0) return `${name}: only in the ${missing === 0 ? 'second' : 'first'} build`;
  const [left, right] = paths.map((path) => readFileSync(path));
  if (!left.equals(right))
    return `${name}: ${name.endsWith('.tgz') ? await inArchive(left, right) : at(left, right)}`;
  const [mode, otherMode] = paths.map((path) => (statSync(path).mode & 0o111).toString(8));
  return mode === otherMode ? undefined : `${name}: the execute permissions differ`;
}

/** The first entry that differs; if none does, the first byte, which the archive format then accounts for. */
async function inArchive(left, right) {
  const [entries, others] = await Promise.all([left, right].map((tgz) => unpackTar(gunzipSync(tgz))));
  for (const [index, { header, data }] of entries.entries()) {
    const other = others[index];
    if (JSON.stringify(header) !== JSON.stringify(other?.header))
      return `${header.name} is ${JSON.stringify(header)} in one and ${JSON.stringify(other?.header)} in the other`;
    if (!Buffer.from(data ?? []).equals(Buffer.from(other.data ?? [])))
      return `${header.name}, ${at(Buffer.from(data), Buffer.from(other.data))}`;
  }
  return at(left, right);
}

function at(left, right) {
  const length = Math.min(left.length, right.length);
  let offset = 0;
  while (offset < length && left[offset] === right[offset]) offset += 1;
  const around = [left, right].map((bytes) => JSON.stringify(bytes.toString('latin1', offset, offset + 40)));
  return `byte ${offset} of ${left.length} and ${right.length}: ${around.join(' and ')}`;
}
