import type { PayloadManifest, WholePayloadManifest } from '../../config/schema/payload-schema.js';
import { openPayloadMedium } from '../../disk/payload/open-medium.js';
import { manifestTrailer } from '../../media/payload/payload-file.js';
import type { GlobalOptions, InspectOptions } from '../options.js';
import { sizeText } from '../output/size-text.js';
import { report } from '../output/report.js';

/** Prints the contents of a payload. Its hashes are not checked; `verify` does that. */
export function inspectPayload(path: string, options: GlobalOptions & InspectOptions): void {
  const opened = openPayloadMedium(path);
  if (!opened.ok) {
    report(options, { problems: opened.problems });
    return;
  }
  const { manifest, text, image, close } = opened.value;
  // A disk is longer than the payload on it.
  const wholeBytes = manifest.fileSystem.bytes + manifestTrailer(text).length;
  close();
  report(options, {
    problems: [],
    text: textOf(path, Math.min(image.bytes, wholeBytes), manifest, options.all === true),
    json: { path, kind: 'payload', payload: manifest },
  });
}

function textOf(path: string, bytes: number, manifest: WholePayloadManifest, hasAll: boolean): string {
  const { release, registry, images, blobs, createdBy, fileSystem } = manifest;
  const others = images.filter(({ name, image }) => name === undefined && image !== release.image);
  const signed = images.filter(({ signature }) => signature !== undefined).length;
  const count = `${images.length}: ${images.length - others.length} of the release, ${others.length} others; ${signed} with a signature`;
  const shown = hasAll ? images : others;
  return [
    `Payload   ${path}, ${sizeText(bytes)}`,
    `Release   ${release.version} for ${release.architecture}, ${release.image}`,
    `Registry  ${registry.image}${registry.isOfRelease ? ' (docker-registry of the release)' : ''}`,
    `Images    ${count}`,
    ...shown.map(imageLine),
    `Blobs     ${blobs.count}, ${sizeText(blobs.bytes)}`,
    `SHA-256   ${fileSystem.sha256} (the first ${fileSystem.bytes} bytes)`,
    `Created   by ${createdBy}`,
    '',
  ].join('\n');
}

function imageLine({ name, image, digest }: PayloadManifest['images'][number]): string {
  const at = image.includes('@') ? '' : ` (${digest})`;
  return `  ${name === undefined ? '' : `${name}  `}${image}${at}`;
}
