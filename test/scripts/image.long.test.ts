import { createHash } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { unpackTar, type ParsedTarEntryWithData } from 'modern-tar';
import { beforeAll, expect, it } from 'vitest';

import { makeImage, imageBuildTimeoutMs } from '../support/image-archive.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { neededLibraries } from './needed-libraries.js';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

interface ImageManifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface ImageConfig {
  readonly config: Readonly<Record<string, unknown>> & { readonly Labels: Readonly<Record<string, string>> };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

function textOf(entries: readonly ParsedTarEntryWithData[], path: string): string {
  const { data } = entries.find(({ header }) => header.name === path) ?? {};
  return Buffer.from(data ?? []).toString();
}

function sumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

describeWith(['curl', 'dpkg-deb'], 'the archive of the image', () => {
  let file: string;
  let files: ReadonlyMap<string, Uint8Array>;
  const images: Opened[] = [];
  beforeAll(async () => {
    const out = scratchFolder();
    makeImage('.', out, 'all');
    file = join(out, 'sno-install.oci.tar');
    const entries = await unpackTar(readFileSync(file), { strict: true });
    files = new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
    const { manifests } = json(blob(index().manifests[0])) as ReturnType<typeof index>;
    for (const described of manifests) images.push(await opened(described));
  }, imageBuildTimeoutMs);

  /** The blob of a descriptor. Checks its digest and size. */
  function blob({ digest, size }: Descriptor): Uint8Array {
    const bytes = files.get(`blobs/${digest.replace(':', '/')}`);
    if (bytes === undefined) throw new Error(`there is no ${digest}`);
    expect([sumOf(bytes), bytes.length]).toEqual([digest, size]);
    return bytes;
  }

  function json(bytes: Uint8Array | undefined): unknown {
    return JSON.parse(Buffer.from(bytes ?? []).toString());
  }

  function index(): { readonly manifests: readonly [Descriptor, ...Descriptor[]] } {
    return json(files.get('index.json')) as ReturnType<typeof index>;
  }

  interface Opened {
    readonly architecture: string | undefined;
    readonly config: ImageConfig;
    readonly layers: readonly { readonly sum: string; readonly bytes: number }[];
    readonly entries: readonly ParsedTarEntryWithData[];
    readonly packedBytes: number;
  }

  async function opened(described: Descriptor): Promise<Opened> {
    const manifest = json(blob(described)) as ImageManifest;
    const layers = manifest.layers.map((layer) => gunzipSync(blob(layer)));
    const entries = await Promise.all(layers.map((layer) => unpackTar(layer, { strict: true })));
    return {
      architecture: described.platform?.architecture,
      config: json(blob(manifest.config)) as ImageConfig,
      layers: layers.map((layer) => ({ sum: sumOf(layer), bytes: layer.length })),
      entries: entries.flat(),
      packedBytes: manifest.layers.reduce((sum, { size }) => sum + size, 0),
    };
  }

  it('is a layout whose blobs match their descriptors', () => {
    expect(json(files.get('oci-layout'))).toEqual({ imageLayoutVersion: '1.0.0' });
    expect(images.map(({ architecture }) => architecture)).toEqual(['amd64', 'arm64']);
    for (const { config, layers } of images)
      expect(layers.map(({ sum }) => sum)).toEqual(config.rootfs.diff_ids);
    // oci-layout, index.json and the index; then per image a manifest, a config and two layers.
    expect(files.size).toBe(3 + 2 * 4);
  });

  it('has labels, no registry name and no root user', () => {
    expect(index().manifests.map(({ annotations }) => annotations)).toEqual([
      {
        'io.containerd.image.name': 'localhost/sno-install:0.1.0',
        'org.opencontainers.image.ref.name': '0.1.0',
      },
    ]);
    for (const { config } of images) {
      expect(config.config).toMatchObject({
        User: '65532:65532',
        Entrypoint: ['/usr/bin/sno-install'],
        WorkingDir: '/work',
        Volumes: { '/tmp': {} },
      });
      expect(Object.keys(config.config.Labels)).toEqual(
        ['description', 'licenses', 'title', 'version'].map((name) => `org.opencontainers.image.${name}`),
      );
    }
  });

  it('contains images below 150 MB, packed and unpacked', () => {
    for (const { layers, packedBytes } of images) {
      expect(packedBytes).toBeLessThan(60e6);
      expect(layers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(150e6);
    }
  });

  it('has every library that is needed in it, one program, and all licences', () => {
    for (const { entries } of images) {
      const names = entries.map(({ header }) => header.name);
      const binaries = entries.filter(
        ({ data }) => Buffer.from(data?.subarray(0, 4) ?? []).toString('latin1') === '\x7fELF',
      );
      const needed = new Set(binaries.flatMap(({ data }) => neededLibraries(Buffer.from(data ?? []))));
      expect(needed.size).toBeGreaterThan(6);
      for (const library of needed)
        expect(
          names.filter((name) => name.endsWith(`/${library}`)),
          library,
        ).not.toEqual([]);
      const others = binaries.map(({ header }) => header.name).filter((name) => !/\.so\.[\d.]+$/.test(name));
      expect(others).toEqual(['usr/bin/sno-install']);
      for (const document of [
        'sno-install/LICENSE',
        'sno-install/LICENSES.txt',
        'libc6/copyright',
        'gcc-14-base/copyright',
      ])
        expect(names).toContain(`usr/share/doc/${document}`);
      // Licences that a copyright file refers to must exist, too.
      const copyrights = ['libc6', 'gcc-14-base'].map((name) =>
        textOf(entries, `usr/share/doc/${name}/copyright`),
      );
      const licences = copyrights.flatMap(
        (text) => text.match(/(?<=\/)usr\/share\/common-licenses\/[\w.-]*\w/g) ?? [],
      );
      expect(licences).toContain('usr/share/common-licenses/LGPL-2.1');
      for (const licence of licences) expect(names).toContain(licence);
    }
  });

  it('has no time in it, and names its packages for programs that look for faults in them', () => {
    for (const { architecture, entries } of images) {
      expect(entries.filter(({ header }) => header.mtime?.getTime() !== 0)).toEqual([]);
      const status = entries.filter(
        ({ header }) => header.name.startsWith('var/lib/dpkg/status.d/') && header.type === 'file',
      );
      const texts = status.map(({ data }) => Buffer.from(data ?? []).toString());
      expect(texts.map((text) => /^Package: (.+)$/m.exec(text)?.[1])).toEqual([
        'base-files',
        'gcc-14-base',
        'libatomic1',
        'libc6',
        'libgcc-s1',
        'libstdc++6',
      ]);
      expect(texts.map((text) => /^Architecture: (.+)$/m.exec(text)?.[1])).toEqual(
        texts.map(() => architecture),
      );
      expect(textOf(entries, 'etc/debian_version')).toMatch(/^13\.\d+\n$/);
    }
  });

  it(
    'has the same bytes when it is made in another folder at another time',
    () => {
      const folder = scratchFolder();
      for (const path of ['scripts', 'templates', 'dist', 'package.json', 'LICENSE'])
        cpSync(path, join(folder, path), { recursive: true });
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
      makeImage(folder, 'made', 'all');
      expect(sumOf(readFileSync(join(folder, 'made/sno-install.oci.tar')))).toBe(sumOf(readFileSync(file)));
    },
    imageBuildTimeoutMs,
  );
});
