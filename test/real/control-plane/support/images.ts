import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createArchive } from './create-archive.js';
import { placeFile } from './place-file.js';
import { outputOf } from './run-program.js';
import { sha256OfFile } from './sha256-of-file.js';

/** An image built from files of this machine. It has no shell, and only the given libraries. */
export interface ImageContents {
  /** Path in the image → file on this machine. */
  readonly files: Readonly<Record<string, string>>;
  /** The same for a lower layer. Images with the same object share the layer. */
  readonly base?: Readonly<Record<string, string>>;
  /** The default command. */
  readonly entrypoint?: readonly string[];
  /** User ID. Default: root. */
  readonly user?: number;
}

/** By image reference, exactly as in the pods. */
export type Images = Readonly<Record<string, ImageContents>>;

/** An image with one static program, which is also its entrypoint. */
export function imageOf(program: string, path: string): ImageContents {
  return { files: { [path]: program }, entrypoint: [path] };
}

/** The shared libraries of a program on this system, with the same paths in the image. */
export async function librariesOf(program: string): Promise<Readonly<Record<string, string>>> {
  const listed = await outputOf(['ldd', program]);
  const paths = [...listed.matchAll(/\/\S+/g)].map(([path]) => path);
  return Object.fromEntries(paths.map((path) => [path, path]));
}

/** Writes an OCI archive of images for `ctr images import`. References by digest are imported under that name like all others. */
export async function writeImageArchive(images: Images, archive: string): Promise<void> {
  const layout = mkdtempSync(`${archive}-`);
  await writeImageLayout(images, layout);
  await createArchive(['--file', archive, '--directory', layout, '.']);
  rmSync(layout, { recursive: true });
}

/** Writes an OCI layout of images into a folder. index.json contains the references in containerd's annotations. */
export async function writeImageLayout(images: Images, layout: string): Promise<void> {
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const layers = new Map<ImageContents['files'], Blob>();
  const layerOf = async (files: ImageContents['files']) => {
    const layer = layers.get(files) ?? (await addLayer(layout, files));
    layers.set(files, layer);
    return layer;
  };
  const manifests: object[] = [];
  for (const [reference, contents] of Object.entries(images))
    manifests.push(await addImage(layout, reference, contents, layerOf));
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
}

interface Blob {
  readonly digest: string;
  readonly size: number;
}

async function addImage(
  layout: string,
  reference: string,
  contents: ImageContents,
  layerOf: (files: ImageContents['files']) => Promise<Blob>,
): Promise<object> {
  const layers = contents.base === undefined ? [] : [await layerOf(contents.base)];
  layers.push(await layerOf(contents.files));
  const config = addJson(layout, {
    architecture: architecture(),
    os: 'linux',
    config: {
      Entrypoint: contents.entrypoint ?? [],
      ...(contents.user !== undefined && { User: `${contents.user}:${contents.user}` }),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
  });
  const manifest = addJson(layout, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: layers.map((layer) => ({ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer })),
  });
  return {
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    ...manifest,
    annotations: { 'io.containerd.image.name': reference },
  };
}

/** The architecture of this machine in OCI notation. */
function architecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}

async function addLayer(layout: string, files: Readonly<Record<string, string>>): Promise<Blob> {
  const tree = join(layout, 'tree');
  for (const [path, source] of Object.entries(files)) placeFile(source, join(tree, path));
  const layer = join(layout, 'layer');
  // Fixed order, owner and time: the same files give the same layer.
  const stable = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  await createArchive(['--file', layer, ...stable, '--directory', tree, '.']);
  rmSync(tree, { recursive: true });
  const hex = await sha256OfFile(layer);
  const { size } = statSync(layer);
  renameSync(layer, join(layout, 'blobs/sha256', hex));
  return { digest: `sha256:${hex}`, size };
}

function addJson(layout: string, value: unknown): Blob {
  const text = JSON.stringify(value);
  const hex = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(layout, 'blobs/sha256', hex), text);
  return { digest: `sha256:${hex}`, size: Buffer.byteLength(text) };
}
