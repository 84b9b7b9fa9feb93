import { closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { indexTar } from '../../formats/tar/tar-index.js';
import { listAt, textAt } from '../../kube/fields.js';
import { blobPath, hexOf, storageRoot } from '../../media/payload/registry-storage.js';
import { imageFromFile } from '../image/image-file.js';
import { reasonOf } from '../system-error.js';

/** Where the bytes of a blob lie. */
export interface BlobPlace {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Blobs below a path, whose hashes were not checked. */
export interface BlobPlaces {
  /** By `sha256:<hex>`. */
  readonly find: (digest: string) => BlobPlace | undefined;
  /** Digests with a tag, in repositories that end in `repository`, or in any. */
  readonly tagged: (repository: string | undefined, tag: string) => readonly string[];
}

/** Cache of oc-mirror below the folder of `--cache-dir`. Source: openshift/oc-mirror v2 internal/pkg/cli/const.go */
const mirrorCache = '.oc-mirror/.cache';
const kinds = 'a folder or archive of oc-mirror, an OCI layout, or `dir:` folders of skopeo';

/**
 * Finds the blobs of images below a path: the storage of a registry, which the cache and the archives of oc-mirror contain too, OCI
 * layouts, and `dir:` folders, also one folder deeper. Problems: payload/source.
 */
export function findBlobs(path: string): Result<readonly BlobPlaces[]> {
  try {
    if (!statSync(path).isDirectory()) return placesInArchives([path]);
    const found = placesInFolder(path);
    if (!found.ok || found.value.length > 0) return found;
    const deeper: BlobPlaces[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true }).filter((each) => each.isDirectory())) {
      const inside = placesInFolder(join(path, entry.name));
      if (!inside.ok) return inside;
      deeper.push(...inside.value);
    }
    return deeper.length === 0 ? refused(path, 'contains no images') : success(deeper);
  } catch (error) {
    return refused(path, `cannot be read: ${reasonOf(error)}`);
  }
}

function refused(path: string, fault: string): Result<never> {
  return failure(problem('payload/source', `--from ${path} ${fault}`, { hint: `name ${kinds}` }));
}

/** Throws system errors. */
function placesInFolder(folder: string): Result<readonly BlobPlaces[]> {
  const names = new Set(readdirSync(folder));
  const found: BlobPlaces[] = [];
  for (const root of [folder, join(folder, mirrorCache)])
    if (isFolder(join(root, storageRoot, 'blobs'))) found.push(placesInStorage(root));
  if (names.has('oci-layout')) found.push(placesInLayout(folder));
  if (names.has('version') && names.has('manifest.json')) found.push(placesInDir(folder, [...names]));
  const archives = placesInArchives(
    [...names].filter((name) => /^mirror_\d+\.tar$/.test(name)).map((name) => join(folder, name)),
  );
  return archives.ok ? success([...found, ...archives.value]) : archives;
}

function placesInStorage(root: string): BlobPlaces {
  const tags = tagsBelow(join(root, storageRoot, 'repositories'), '');
  return {
    find: (digest) => placeOfFile(join(root, blobPath(digest))),
    tagged: (repository, tag) =>
      tags
        .filter((each) => each.tag === tag && endsIn(each.repository, repository))
        .flatMap(({ link }) => linkIn(readFileSync(link, 'utf8'))),
  };
}

interface TagLink {
  readonly repository: string;
  readonly tag: string;
  readonly link: string;
}

function tagsBelow(folder: string, repository: string): readonly TagLink[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => {
    if (name === '_manifests') {
      const tags = join(folder, name, 'tags');
      return (isFolder(tags) ? readdirSync(tags) : []).map((tag) => ({
        repository,
        tag,
        link: join(tags, tag, 'current', 'link'),
      }));
    }
    return name.startsWith('_') ? [] : tagsBelow(join(folder, name), join(repository, name));
  });
}

function linkIn(text: string): readonly string[] {
  return /^sha256:[0-9a-f]{64}$/.test(text.trim()) ? [text.trim()] : [];
}

/** A mirror may store a repository below others. */
function endsIn(stored: string, wanted: string | undefined): boolean {
  return wanted === undefined || stored === wanted || stored.endsWith(`/${wanted}`);
}

/** Source: opencontainers/image-spec image-layout.md */
function placesInLayout(folder: string): BlobPlaces {
  const index =
    placeOfFile(join(folder, 'index.json')) && parseJson(readFileSync(join(folder, 'index.json'), 'utf8'));
  return {
    find: (digest) => placeOfFile(join(folder, 'blobs', 'sha256', hexOf(digest))),
    // The names contain no repository.
    tagged: (repository, tag) =>
      repository === undefined
        ? listAt(index, ['manifests'])
            .filter((each) => textAt(each, ['annotations', 'org.opencontainers.image.ref.name']) === tag)
            .flatMap((each) => linkIn(textAt(each, ['digest']) ?? ''))
        : [],
  };
}

/** Blobs have their hash as name; manifests do not. Source: containers/image directory/directory_transport.go */
function placesInDir(folder: string, names: readonly string[]): BlobPlaces {
  const own = [`sha256:${sha256(readFileSync(join(folder, 'manifest.json')))}`];
  const manifests = new Map<string, string>(
    names
      .filter((name) => /^([0-9a-f]{64}\.)?manifest\.json$/.test(name))
      .map((name) => [`sha256:${sha256(readFileSync(join(folder, name)))}`, name] as const),
  );
  return {
    find: (digest) => placeOfFile(join(folder, manifests.get(digest) ?? hexOf(digest))),
    // The folder of a signature has its tag as name.
    tagged: (repository, tag) => (repository === undefined && basename(folder) === tag ? own : []),
  };
}

function placeOfFile(file: string): BlobPlace | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? { file, offset: 0, bytes: found.size } : undefined;
}

/** Paths in an archive of oc-mirror. Source: openshift/oc-mirror v2 internal/pkg/archive/archive.go */
const blobInArchive = /(?:^|\/)docker\/registry\/v2\/blobs\/sha256\/[0-9a-f]{2}\/([0-9a-f]{64})\/data$/;
const tagInArchive =
  /(?:^|\/)docker\/registry\/v2\/repositories\/(.+)\/_manifests\/tags\/([^/]+)\/current\/link$/;
const blobInLayout = /(?:^|\/)blobs\/sha256\/([0-9a-f]{64})$/;

function placesInArchives(paths: readonly string[]): Result<readonly BlobPlaces[]> {
  const found: BlobPlaces[] = [];
  for (const path of paths) {
    const archive = placesInArchive(path);
    if (!archive.ok) return archive;
    found.push(archive.value);
  }
  return success(found);
}

function placesInArchive(path: string): Result<BlobPlaces> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const image = imageFromFile(file, statSync(path).size);
    const files = indexTar(image);
    if (files === undefined) return refused(path, 'is no archive (tar), or it ends early');
    const blobs = new Map<string, BlobPlace>();
    const tags: (Omit<TagLink, 'link'> & { readonly digests: readonly string[] })[] = [];
    for (const { path: inside, offset, length } of files) {
      const [, hex] = blobInArchive.exec(inside) ?? blobInLayout.exec(inside) ?? [];
      if (hex !== undefined) blobs.set(`sha256:${hex}`, { file: path, offset, bytes: length });
      const [, repository, tag] = tagInArchive.exec(inside) ?? [];
      const link = repository === undefined || length > 128 ? undefined : image.read(offset, length);
      if (repository !== undefined && tag !== undefined && link !== undefined)
        tags.push({ repository, tag, digests: linkIn(link.toString('utf8')) });
    }
    if (blobs.size === 0) return refused(path, 'contains no images');
    return success({
      find: (digest) => blobs.get(digest),
      tagged: (repository, tag) =>
        tags
          .filter((each) => each.tag === tag && endsIn(each.repository, repository))
          .flatMap(({ digests }) => digests),
    });
  } finally {
    closeSync(file);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
