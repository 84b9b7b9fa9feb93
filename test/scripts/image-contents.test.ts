import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar } from 'modern-tar';
import { expect, it } from 'vitest';

import { imageContents } from '../../scripts/release-files/image-contents.mjs';
import { scratchFolder } from '../support/scratch.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

function tarOf(files: Files): Promise<Uint8Array> {
  return packTar(
    Object.entries(files).map(([name, body]) => ({ header: { name, size: Buffer.from(body).length }, body })),
  );
}

/** An OCI layout in a tar file, with one image per list of layers. */
async function layoutOf(images: readonly (readonly Files[])[], gzip: boolean): Promise<string> {
  const blobs: Record<string, Uint8Array> = {};
  const add = (bytes: Uint8Array): string => {
    const sum = createHash('sha256').update(bytes).digest('hex');
    blobs[`blobs/sha256/${sum}`] = bytes;
    return `sha256:${sum}`;
  };
  const manifests = [];
  for (const layers of images) {
    const described = [];
    for (const layer of layers) {
      const tar = await tarOf(layer);
      const mediaType = `application/vnd.oci.image.layer.v1.tar${gzip ? '+gzip' : ''}`;
      described.push({ mediaType, digest: add(gzip ? gzipSync(tar) : tar) });
    }
    manifests.push({ digest: add(Buffer.from(JSON.stringify({ layers: described }))) });
  }
  const inner = add(Buffer.from(JSON.stringify({ manifests })));
  const index = JSON.stringify({ manifests: [{ digest: inner }] });
  const path = join(scratchFolder(), 'image.oci.tar');
  writeFileSync(path, await tarOf({ 'index.json': index, ...blobs }));
  return path;
}

const system = {
  'etc/os-release': 'ID=debian\nVERSION_ID="12"\n',
  'var/lib/dpkg/status.d/libc6':
    'Package: libc6\nStatus: install ok\nArchitecture: amd64\nVersion: 2.36-9+deb12u13\nDescription: C\n',
  'var/lib/dpkg/status.d/libgcc-s1': 'Package: libgcc-s1\nArchitecture: amd64\nVersion: 12.2.0-14\n',
};
const purls = [
  'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=debian-12',
  'pkg:deb/debian/libgcc-s1@12.2.0-14?arch=amd64&distro=debian-12',
];

it.each([false, true])('lists the packages and file digests of an image (gzip: %s)', async (gzip) => {
  const path = await layoutOf([[system, { 'usr/bin/program': 'the build\0of now' }]], gzip);
  const { packages, holds } = await imageContents(path);
  expect(packages.map(({ purl }) => purl)).toEqual(purls);
  expect([holds(Buffer.from('build\0of')), holds(Buffer.from('another'))]).toEqual([true, false]);
});

it('lists packages of two images once, and reads the files of both', async () => {
  const arm = {
    ...system,
    'var/lib/dpkg/status.d/libc6': 'Package: libc6\nArchitecture: arm64\nVersion: 2\n',
  };
  const { packages, holds } = await imageContents(await layoutOf([[system], [arm]], false));
  expect(packages.map(({ purl }) => purl)).toEqual([
    purls[0],
    'pkg:deb/debian/libc6@2?arch=arm64&distro=debian-12',
    purls[1],
  ]);
  expect([holds(Buffer.from('VERSION_ID')), holds(Buffer.from('install ok'))]).toEqual([true, false]);
});

it('reads a status of many packages', async () => {
  const status =
    'Package: one\nArchitecture: all\nVersion: 1\n\nPackage: two\nArchitecture: all\nVersion: 2\n';
  const { packages } = await imageContents(await layoutOf([[{ 'var/lib/dpkg/status': status }]], false));
  expect(packages.map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/one@1?arch=all',
    'pkg:deb/debian/two@2?arch=all',
  ]);
});

it('reports missing parts of an image', async () => {
  const path = join(scratchFolder(), 'image.tar');
  const digest = `sha256:${'0'.repeat(64)}`;
  writeFileSync(path, await tarOf({ 'index.json': JSON.stringify({ manifests: [{ digest }] }) }));
  await expect(imageContents(path)).rejects.toThrow(`the image does not contain ${digest}`);
  writeFileSync(path, await tarOf({ other: '' }));
  await expect(imageContents(path)).rejects.toThrow('the image does not contain index.json');
});
