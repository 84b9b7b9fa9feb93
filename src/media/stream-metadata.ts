import { isRecord } from '../core/is-record.js';
import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { parseJson, placeOfJsonFault } from '../formats/json.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { toData } from '../formats/yaml/yaml-tree.js';
import { fieldAt, textAt } from '../kube/fields.js';

/** Names of CoreOS for architectures; the second name is that of install-config.yaml. Source: stream metadata, `architectures` */
export const streamArchitectures = ['x86_64', 'aarch64', 'ppc64le', 's390x'] as const;
export type StreamArchitecture = (typeof streamArchitectures)[number];

export const bootImageFormats = ['iso', 'pxe'] as const;
export type BootImageFormat = (typeof bootImageFormats)[number];

export type BootImageKind = 'iso' | 'kernel' | 'initramfs' | 'rootfs';

/** A published file of a live system. */
export interface BootImage {
  readonly kind: BootImageKind;
  /** File name, from the URL. */
  readonly name: string;
  readonly url: URL;
  /** In hex. */
  readonly sha256: string;
}

/** Boot images of one architecture in one format. */
export interface BootImages {
  /** Build of CoreOS, such as `9.6.20250523-0`. */
  readonly build: string;
  readonly files: readonly BootImage[];
}

/** The metadata of the boot images of a release. */
export interface StreamMetadata {
  /** By OS stream, such as `rhel-9`; the default stream has the name ``. */
  readonly streams: ReadonlyMap<string, unknown>;
  /** Name of the file or image, for messages. */
  readonly source: string;
}

/**
 * Reads `openshift-install coreos print-stream-json`, or the ConfigMap coreos-bootimages as YAML or JSON. Problems: media/stream.
 * Source: openshift/installer hack/build-coreos-manifest.go, coreos/stream-metadata-go stream.go
 */
export function readStreamMetadata(text: string, source: string): Result<StreamMetadata> {
  const data = dataOf(text);
  if (data === undefined || typeof data === 'string') return notMetadata(source, whyUnreadable(text));
  if (isRecord(fieldAt(data, ['architectures']))) return success({ streams: new Map([['', data]]), source });
  if (fieldAt(data, ['kind']) !== 'ConfigMap') return notMetadata(source, 'has no "architectures"');
  const [stream, several] = ['stream', 'streams'].map((key) => parseJson(textAt(data, ['data', key]) ?? ''));
  const named = Object.entries(isRecord(several) ? several : {});
  const all = [...(stream === undefined ? [] : [['', stream] as const]), ...named];
  if (all.length === 0) return notMetadata(source, 'is a ConfigMap without stream metadata in data.stream');
  const odd = all.find(([, each]) => !isRecord(fieldAt(each, ['architectures'])));
  if (odd === undefined) return success({ streams: new Map(all), source });
  return notMetadata(source, `has no "architectures" in data.${odd[0] === '' ? 'stream' : 'streams'}`);
}

function dataOf(text: string): unknown {
  const json = parseJson(text);
  if (json !== undefined || /^\s*[{[]/.test(text)) return json;
  const { documents, faults } = readYaml(text);
  const [first] = documents;
  return faults.length > 0 || first === undefined ? undefined : toData(first);
}

function whyUnreadable(text: string): string {
  if (text.trim() === '') return 'is empty';
  if (!/^\s*[{[]/.test(text)) return 'is not JSON and not a ConfigMap in YAML';
  const place = placeOfJsonFault(text);
  return place === undefined
    ? 'ends in the middle of the JSON'
    : `is not JSON: line ${place.line}, column ${place.col}`;
}

function notMetadata(source: string, fault: string): Result<never> {
  return failure(
    problem('media/stream', `${source} ${fault}`, {
      hint: 'write it with `openshift-install coreos print-stream-json > stream.json`',
    }),
  );
}

/** The boot images to look for. */
export interface WantedImages {
  readonly architecture: StreamArchitecture;
  readonly format: BootImageFormat;
  /** Such as `rhel-9`. Default: the default stream. */
  readonly osStream?: string;
}

/** The files of the live system for an architecture. Problems: media/stream, media/no-image. */
export function bootImagesIn(metadata: StreamMetadata, wanted: WantedImages): Result<BootImages> {
  const { architecture, format } = wanted;
  const { source } = metadata;
  const stream = streamIn(metadata, wanted.osStream);
  if (!stream.ok) return stream;
  const architectures = fieldAt(stream.value, ['architectures']);
  const metal = fieldAt(architectures, [architecture, 'artifacts', 'metal']);
  const files = fieldAt(metal, ['formats', format]);
  if (!isRecord(files)) {
    const offered = Object.keys(isRecord(architectures) ? architectures : {}).filter((name) =>
      isRecord(fieldAt(architectures, [name, 'artifacts', 'metal', 'formats', format])),
    );
    const hint =
      offered.length === 0 ? 'use the metadata of RHEL CoreOS' : `it has ${offered.toSorted().join(', ')}`;
    const what = format === 'iso' ? 'live ISO' : 'files for PXE';
    return failure(problem('media/no-image', `${source} has no ${what} for ${architecture}`, { hint }));
  }
  const images: BootImage[] = [];
  for (const [kind, part] of partsOf[format]) {
    const image = imageIn(fieldAt(files, [part]), kind);
    if (typeof image === 'string')
      return failure(
        problem('media/stream', `${source}: formats.${format}.${part} of ${architecture} ${image}`, {
          hint: 'get the metadata again; it must not be edited by hand',
        }),
      );
    images.push(image);
  }
  return success({ build: textAt(metal, ['release']) ?? '', files: images });
}

/** Kind and member name of each file. Source: coreos/stream-metadata-go, `ImageFormat` */
const partsOf: Readonly<Record<BootImageFormat, readonly (readonly [BootImageKind, string])[]>> = {
  iso: [['iso', 'disk']],
  pxe: [
    ['kernel', 'kernel'],
    ['initramfs', 'initramfs'],
    ['rootfs', 'rootfs'],
  ],
};

function streamIn({ streams, source }: StreamMetadata, osStream: string | undefined): Result<unknown> {
  const found =
    streams.get(osStream ?? '') ?? (osStream === undefined ? [...streams.values()][0] : undefined);
  if (found !== undefined) return success(found);
  const names = [...streams.keys()].filter((name) => name !== '').toSorted();
  const hint =
    names.length === 0 ? 'leave out --os-stream: it has one stream only' : `it has ${names.join(', ')}`;
  return failure(problem('media/no-image', `${source} has no OS stream ${quoted(osStream ?? '')}`, { hint }));
}

/** The file, or how its entry is wrong. */
function imageIn(entry: unknown, kind: BootImageKind): BootImage | string {
  const [location, sha256] = [textAt(entry, ['location']), textAt(entry, ['sha256'])];
  if (location === undefined) return 'has no location';
  if (sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256)) return 'has no SHA-256 of 64 hex digits';
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'has a location that is no http or https URL without a login';
  const name = url.pathname.split('/').at(-1) ?? '';
  // The name becomes a file name on this machine.
  return /^[A-Za-z0-9][\w.+-]{0,199}$/.test(name)
    ? { kind, name, url, sha256 }
    : 'has a location without a file name';
}
