import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { ApiMetadata, ApiObject } from './api-object.js';
import type { FleetFile } from './fleet-files.js';

/** A ConfigMap with files, and where they belong. */
export interface FilesMap {
  readonly name: string;
  readonly files: readonly FleetFile[];
}

/** 1 MiB, of which names and fields take a part. Source: kubernetes.io/docs/concepts/configuration/configmap */
const limitBytes = 1024 * 1024 - 16 * 1024;

/**
 * Files that hold no secret, in as few ConfigMaps as their order allows, named by what is in them: another fleet has others.
 * Problems: job/too-large.
 */
export function filesMaps(name: string, files: readonly FleetFile[]): Result<readonly FilesMap[]> {
  const large = [...files.filter((file) => weight(file) > limitBytes)];
  const secretBytes = files.filter(({ isSecret }) => isSecret).reduce((sum, file) => sum + weight(file), 0);
  if (large.length > 0 || secretBytes > limitBytes)
    return failure(...large.map(tooLarge), ...secretTooLarge());
  const maps: FleetFile[][] = [];
  let room = 0;
  for (const file of files.filter(({ isSecret }) => !isSecret)) {
    if (weight(file) > room) {
      maps.push([]);
      room = limitBytes;
    }
    maps.at(-1)?.push(file);
    room -= weight(file);
  }
  return success(
    maps.map((each) => {
      const told = each.map(({ key, path, bytes }) => [key, path, sha256(bytes)]);
      return { name: `${name}-files-${sha256(JSON.stringify(told)).slice(0, 10)}`, files: each };
    }),
  );

  function secretTooLarge(): readonly ReturnType<typeof problem>[] {
    if (secretBytes <= limitBytes) return [];
    const message = 'files of the fleet that hold, or may hold, secrets are larger than a Secret can be';
    return [problem('job/too-large', message, { hint: splitIt })];
  }
}

const splitIt = 'split the fleet into several, each with a Job of its own; the base may be the same';

/** What is no text stands there in base64, and so does all of a Secret. */
function weight({ key, bytes, isSecret }: FleetFile): number {
  const isEncoded = isSecret || decodeUtf8(bytes) === undefined;
  return key.length + (isEncoded ? Math.ceil(bytes.length / 3) * 4 : bytes.length);
}

function tooLarge({ path, bytes }: FleetFile): ReturnType<typeof problem> {
  const message = `the file has ${bytes.length} bytes, and a ConfigMap or a Secret holds ${limitBytes}`;
  return problem('job/too-large', message, { at: { file: path }, hint: splitIt });
}

/** The objects of ConfigMaps, as the API takes them. */
export function configMapObject({ name, files }: FilesMap, metadata: ApiMetadata): ApiObject {
  const texts = files.map(({ key, bytes }) => ({ key, bytes, text: decodeUtf8(bytes) }));
  const data = texts.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text] as const]));
  const binary = texts.flatMap(({ key, bytes, text }) =>
    text === undefined ? [[key, Buffer.from(bytes).toString('base64')] as const] : [],
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    immutable: true,
    ...(data.length > 0 && { data: Object.fromEntries(data) }),
    ...(binary.length > 0 && { binaryData: Object.fromEntries(binary) }),
  };
}
