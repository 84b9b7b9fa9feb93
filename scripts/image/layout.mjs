// Images as an OCI image layout. Source: github.com/opencontainers/image-spec, image-layout.md, manifest.md, config.md
import { createHash } from 'node:crypto';

import { gzipSync } from 'fflate';
import { packTar } from 'modern-tar';

const mediaType = (what) => `application/vnd.oci.image.${what}`;

/** An empty layout: blobs by path. */
export function newLayout() {
  return new Map();
}

/**
 * Adds an image to a layout and returns its descriptor. `layers` are tar archives. A JavaScript library compresses them: unlike
 * zlib's, its output does not depend on the processor or the Node.js version.
 */
export function addImage(layout, { architecture, config, layers }) {
  const packed = layers.map((layer) => Buffer.from(gzipSync(layer, { mtime: 0 })));
  const diffIds = layers.map((layer) => `sha256:${sha256(layer)}`);
  const configBlob = addJson(layout, mediaType('config.v1+json'), {
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: diffIds },
  });
  const manifest = addJson(layout, mediaType('manifest.v1+json'), {
    schemaVersion: 2,
    mediaType: mediaType('manifest.v1+json'),
    config: configBlob,
    layers: packed.map((bytes) => addBlob(layout, mediaType('layer.v1.tar+gzip'), bytes)),
    annotations: config.Labels,
  });
  return { ...manifest, platform: { architecture, os: 'linux' } };
}

/**
 * The layout as a tar archive with one index of all images. `name` is the image name after loading, `tag` the reference within the
 * archive.
 */
export async function archiveOf(layout, { images, name, tag, labels }) {
  const index = addJson(layout, mediaType('index.v1+json'), {
    schemaVersion: 2,
    mediaType: mediaType('index.v1+json'),
    manifests: images,
    annotations: labels,
  });
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': tag };
  const top = {
    schemaVersion: 2,
    mediaType: mediaType('index.v1+json'),
    manifests: [{ ...index, annotations }],
  };
  const blobs = [...layout].sort(([left], [right]) => (left < right ? -1 : 1));
  const files = [
    ['oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })],
    ['index.json', JSON.stringify(top)],
    ...blobs,
  ].map(([path, contents]) => [path, Buffer.from(contents)]);
  const common = { mode: 0o644, uid: 0, gid: 0, mtime: new Date(0), type: 'file' };
  const entries = files.map(([path, body]) => ({
    header: { ...common, name: path, size: body.length },
    body,
  }));
  return { digest: index.digest, bytes: Buffer.from(await packTar(entries)) };
}

function addJson(layout, type, value) {
  return addBlob(layout, type, Buffer.from(JSON.stringify(value)));
}

function addBlob(layout, type, bytes) {
  const hex = sha256(bytes);
  layout.set(`blobs/sha256/${hex}`, bytes);
  return { mediaType: type, digest: `sha256:${hex}`, size: bytes.length };
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
