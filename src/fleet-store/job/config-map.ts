import { decodeUtf8 } from '../../formats/utf8.js';
import type { ApiMetadata, ApiObject } from './api-object.js';
import type { FileGroup } from './grouped-files.js';

/** A ConfigMap as the API takes it; what is no text stands there in base64. */
export function configMapObject({ name, files }: FileGroup, metadata: ApiMetadata): ApiObject {
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
