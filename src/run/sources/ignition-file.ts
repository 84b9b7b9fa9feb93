import { basename } from 'node:path';

import { secretFile, type OutputFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson, whyNotJson } from '../../formats/json.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { textAt } from '../../kube/fields.js';
import { plainName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { readConfigSource } from './config-source.js';

/**
 * The Ignition config in a file or medium; messages call it `file`.
 * Problems: usage/unreadable-file, review/not-a-config, those of media and of encrypted contents.
 */
export async function readConfigFile(
  path: string,
  file: string,
  access: StateAccess,
): Promise<Result<OutputFile>> {
  const read = await readConfigSource(path, access);
  if (!read.ok) return read;
  const { bytes } = read.value;
  return bytes === undefined
    ? notAConfig('the image contains no Ignition config', file)
    : configFile(plainName(basename(path)), bytes, file);
}

/** Bytes as a file whose name marks an Ignition config. Problems: review/not-a-config. */
export function configFile(name: string, bytes: Uint8Array, file: string): Result<OutputFile> {
  const text = decodeUtf8(bytes);
  const fault = text === undefined ? 'is not UTF-8 text' : whyNoConfig(text);
  return fault === undefined
    ? success(secretFile(name.endsWith('.ign') ? name : `${name}.ign`, bytes))
    : notAConfig(`the file ${fault}`, file);
}

function notAConfig(message: string, file: string): Result<never> {
  return failure(problem('review/not-a-config', message, { at: { file } }));
}

function whyNoConfig(text: string): string | undefined {
  const value = parseJson(text);
  if (value === undefined) return whyNotJson(text);
  return textAt(value, ['ignition', 'version']) === undefined ? 'is not an Ignition config' : undefined;
}
