import { expect, test } from 'vitest';

import {
  bootImagesIn,
  readStreamMetadata,
  type BootImages,
  type WantedImages,
} from '../../src/media/stream-metadata.js';
import type { Result } from '../../src/core/result.js';
import { problemsOf } from '../../src/core/result.js';
import { bootImagesYaml, streamJson, streamOf } from './support/stream-json.js';

const iso = { architecture: 'x86_64', format: 'iso' } as const;

function read(text: string, wanted: WantedImages = iso): Result<BootImages> {
  const metadata = readStreamMetadata(text, 'stream.json');
  return metadata.ok ? bootImagesIn(metadata.value, wanted) : metadata;
}

function namesOf(result: Result<BootImages>): readonly string[] {
  return result.ok ? result.value.files.map(({ kind, name }) => `${kind} ${name}`) : [];
}

const [nine, ten] = ['9.8', '10.2'].map((version) =>
  streamOf({ location: `https://rhcos.example.com/rhcos-${version}.iso`, build: `${version}.20260428-0` }),
) as [object, object];

test.each<{ name: string; text: string; wanted?: WantedImages; want: readonly string[] }>([
  {
    name: 'the printed metadata',
    text: streamJson(),
    want: ['iso rhcos-9.6.20250523-0-live-iso.x86_64.iso'],
  },
  {
    name: 'the files of a network boot',
    text: streamJson(),
    wanted: { ...iso, format: 'pxe' },
    want: ['kernel kernel', 'initramfs initramfs.img', 'rootfs rootfs.img'],
  },
  { name: 'a ConfigMap with one stream', text: bootImagesYaml({}, nine), want: ['iso rhcos-9.8.iso'] },
  {
    name: 'the default stream of several',
    text: bootImagesYaml({ 'rhel-9': nine, 'rhel-10': ten }, nine),
    want: ['iso rhcos-9.8.iso'],
  },
  {
    name: 'a named stream',
    text: bootImagesYaml({ 'rhel-9': nine, 'rhel-10': ten }, nine),
    wanted: { ...iso, osStream: 'rhel-10' },
    want: ['iso rhcos-10.2.iso'],
  },
  {
    name: 'a ConfigMap as JSON',
    text: JSON.stringify({ kind: 'ConfigMap', data: { stream: JSON.stringify(ten) } }),
    want: ['iso rhcos-10.2.iso'],
  },
])('$name lists the images', ({ text, wanted, want }) => {
  expect(namesOf(read(text, wanted))).toEqual(want);
});

test.each<{ name: string; text: string; wanted?: WantedImages; want: string }>([
  { name: 'an empty file', text: '\n', want: 'media/stream: stream.json is empty' },
  {
    name: 'a cut file',
    text: streamJson().slice(0, 200),
    want: 'media/stream: stream.json ends in the middle of the JSON',
  },
  {
    name: 'a file with a stray character',
    text: streamJson().replace('"stream":', '"stream"='),
    want: 'media/stream: stream.json is not JSON: line 1, column 10',
  },
  {
    name: 'a page of a proxy',
    text: '<html><body>Access denied</body></html>',
    want: 'media/stream: stream.json is not JSON and not a ConfigMap in YAML',
  },
  {
    name: 'a word',
    text: 'hello\n',
    want: 'media/stream: stream.json is not JSON and not a ConfigMap in YAML',
  },
  { name: 'other JSON', text: '{"a":1}', want: 'media/stream: stream.json has no "architectures"' },
  { name: 'a list', text: '[]', want: 'media/stream: stream.json has no "architectures"' },
  {
    name: 'another ConfigMap',
    text: 'kind: ConfigMap\ndata: { a: b }\n',
    want: 'media/stream: stream.json is a ConfigMap without stream metadata in data.stream',
  },
  {
    name: 'a ConfigMap with a broken stream',
    text: bootImagesYaml({ 'rhel-9': {} }, nine),
    want: 'media/stream: stream.json has no "architectures" in data.streams',
  },
  {
    name: 'an architecture without live ISO',
    text: streamJson(),
    wanted: { ...iso, architecture: 'aarch64' },
    want: 'media/no-image: stream.json has no live ISO for aarch64 (it has x86_64)',
  },
  {
    name: 'an unknown architecture',
    text: streamJson(),
    wanted: { architecture: 's390x', format: 'pxe' },
    want: 'media/no-image: stream.json has no files for PXE for s390x (it has x86_64)',
  },
  {
    name: 'an unknown OS stream',
    text: bootImagesYaml({ 'rhel-9': nine }, nine),
    wanted: { ...iso, osStream: 'rhel-11' },
    want: 'media/no-image: stream.json has no OS stream "rhel-11" (it has rhel-9)',
  },
  {
    name: 'an OS stream of a file with one',
    text: streamJson(),
    wanted: { ...iso, osStream: 'rhel-10' },
    want: 'media/no-image: stream.json has no OS stream "rhel-10" (leave out --os-stream: it has one stream only)',
  },
  ...[
    { name: 'no hash', hash: '', want: 'has no SHA-256 of 64 hex digits' },
    { name: 'a short hash', hash: 'abc', want: 'has no SHA-256 of 64 hex digits' },
    {
      name: 'a location of another scheme',
      location: 'ftp://example.com/a.iso',
      want: 'has a location that is no http or https URL without a login',
    },
    {
      name: 'a location with a login',
      location: 'https://a:b@example.com/a.iso',
      want: 'has a location that is no http or https URL without a login',
    },
    {
      name: 'a location without file name',
      location: 'https://example.com/',
      want: 'has a location without a file name',
    },
    {
      name: 'a location that leads out of the folder',
      location: 'https://example.com/..%2Fa.iso',
      want: 'has a location without a file name',
    },
  ].map(({ name, want, ...given }) => ({
    name,
    text: streamJson(given),
    want: `media/stream: stream.json: formats.iso.disk of x86_64 ${want}`,
  })),
])('$name is a problem', ({ text, wanted, want }) => {
  const shown = problemsOf(read(text, wanted)).map(({ code, message, hint = '' }) =>
    code === 'media/no-image' ? `${code}: ${message} (${hint})` : `${code}: ${message}`,
  );
  expect(shown).toEqual([want]);
});
