// Reads the contents of a container image: an OCI layout in a tar file, with one image or one per platform.
// Source: https://github.com/opencontainers/image-spec/blob/main/image-layout.md
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { unpackTar } from 'modern-tar';

/** Package metadata of distributions without a package manager. Source: github.com/GoogleContainerTools/distroless */
const status = /^(?:\.\/)?var\/lib\/dpkg\/(?:status$|status\.d\/[^/]+$)/;

/**
 * The Debian packages in the image's layers as components, sorted by package URL, and the function `holds`: true if each image has a
 * file that contains these bytes.
 */
export async function imageContents(path) {
  const blobs = new Map((await entriesOf(readFileSync(path))).map(({ name, data }) => [name, data]));
  const images = imagesIn(blobs, jsonOf(blobs.get('index.json')));
  const files = await Promise.all(images.map((image) => filesOf(blobs, image)));
  const release = files.flat().find(({ name }) => name === 'etc/os-release');
  const distribution = /^VERSION_ID="?([^"\n]+)/m.exec(release?.data.toString() ?? '')?.[1];
  const packages = files
    .flat()
    .filter(({ name }) => status.test(name))
    .flatMap(({ data }) => data.toString().split(/\n\n+/))
    .flatMap((text) => packageComponent(text, distribution) ?? []);
  const byAddress = new Map(packages.map((each) => [each.purl, each]));
  return {
    packages: [...byAddress.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
    holds: (bytes) =>
      files.length > 0 && files.every((each) => each.some(({ data }) => data.includes(bytes))),
  };
}

/** Image manifests below an index, including nested indexes. */
function imagesIn(blobs, { manifests = [], layers }) {
  if (layers !== undefined) return [{ layers }];
  return manifests.flatMap(({ digest }) => imagesIn(blobs, jsonOf(blobOf(blobs, digest))));
}

async function filesOf(blobs, { layers }) {
  const files = [];
  for (const { digest, mediaType } of layers) {
    const blob = blobOf(blobs, digest);
    files.push(...(await entriesOf(mediaType.endsWith('gzip') ? gunzipSync(blob) : blob)));
  }
  return files;
}

function blobOf(blobs, digest) {
  const blob = blobs.get(`blobs/${digest.replace(':', '/')}`);
  if (blob === undefined) throw new Error(`the image does not contain ${digest}`);
  return blob;
}

function jsonOf(blob) {
  if (blob === undefined) throw new Error('the image does not contain index.json');
  return JSON.parse(blob.toString());
}

async function entriesOf(tar) {
  const entries = await unpackTar(tar);
  return entries.map(({ header, data }) => ({
    name: header.name.replace(/^\.\//, ''),
    data: Buffer.from(data ?? []),
  }));
}

/** Source: deb-control(5); https://github.com/package-url/purl-spec/blob/main/types-doc/deb-definition.md */
function packageComponent(text, distribution) {
  const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map(field);
  if (name === undefined || version === undefined) return undefined;
  const distro = distribution === undefined ? '' : `&distro=debian-${distribution}`;
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}${distro}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}
