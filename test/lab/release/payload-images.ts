import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { pathOfProgram } from '../../support/programs.js';
import type { ImageContents, Images } from '../../real/control-plane/support/images.js';
import { toolPath } from '../../real/control-plane/support/tools.js';
import { payloadImages } from '../../shell/support/payload.js';
import { filesOf, imageName } from './images.js';

type Files = Readonly<Record<string, string>>;

/**
 * The payload as a registry serves it to podman: the release image at its pull spec, and one image per key with the
 * tools that the scripts run in it. `release` is by path (see releaseFiles) and is written below the folder.
 */
export async function registryImages(minor: number, folder: string, release: Files): Promise<Images> {
  const base = baseFiles();
  const written = writeFiles(join(folder, 'release'), release);
  const own: Readonly<Record<string, Files>> = {
    release: below('payload/', '/release-manifests/', written),
    etcd: await etcdFiles(),
    'cluster-bootstrap': {
      '/usr/bin/kubectl': programPath('kubectl'),
      '/usr/bin/butane': await toolPath('butane', 'internal'),
    },
  };
  const keys = ['release', ...payloadImages(minor)];
  const tools = [...new Set(Object.keys(release).flatMap((path) => /^tools\/([^/]+)/.exec(path)?.[1] ?? []))];
  const images = keys.map((key) => {
    const ofKey = tools.filter((tool) => imageOfTool(tool, keys) === key);
    const files = { ...toolFiles(key, ofKey, folder, written), ...own[key] };
    return [referenceOf(key, minor), { base, files, entrypoint: entrypointOf(key, ofKey) }] as const;
  });
  return Object.fromEntries<ImageContents>(images);
}

function referenceOf(key: string, minor: number): string {
  return key === 'release' ? releaseReference(minor) : imageName(key);
}

/** The release image reference in the user's config. */
export function releaseReference(minor: number): string {
  return `quay.io/openshift-release-dev/ocp-release:4.${minor}.0-x86_64`;
}

/** A tool's name is its image key and the first arguments. The longest matching key wins, because keys share prefixes. */
function imageOfTool(tool: string, keys: readonly string[]): string | undefined {
  return keys.filter((key) => tool.startsWith(`${key}-`)).toSorted((a, b) => b.length - a.length)[0];
}

/** Programs that the scripts call by path in an image, instead of by its entrypoint. */
function programsOf(key: string, tools: readonly string[]): readonly string[] {
  if (key === 'cluster-config-api') return ['render'];
  return tools.some((tool) => tool.startsWith(`${key}-${key}-`)) ? [key] : [];
}

function entrypointOf(key: string, tools: readonly string[]): readonly string[] {
  const hasEntrypoint = tools.length > 0 && programsOf(key, tools).length === 0;
  return hasEntrypoint ? ['/lab/node', '/lab/image-programs/tool.mjs', key] : [];
}

function toolFiles(key: string, tools: readonly string[], folder: string, written: Files): Files {
  const name = writeFiles(join(folder, 'names', key), { 'etc/stub-tool': key });
  const programs = programsOf(key, tools).map((program) => [`/usr/bin/${program}`, imageProgram('tool')]);
  return {
    ...below('', '/', name),
    ...(Object.fromEntries(programs) as Files),
    ...below('tools/', '/lab/tools/', written, (path) => tools.includes(path.split('/')[1] ?? '')),
  };
}

/** Files in every image: a shell, a few programs, and Node for the tools. */
function baseFiles(): Files {
  const node = realpathSync(process.execPath);
  const programs = ['bash', 'basename', 'cat', 'cp', 'sh'];
  return {
    ...filesOf(programs, [node]),
    '/lab/node': node,
    '/lab/image-programs/cluster-bootstrap.mjs': imageProgram('cluster-bootstrap.mjs'),
    '/lab/image-programs/tool.mjs': imageProgram('tool.mjs'),
    '/lab/stand-ins/die.mjs': stubFor('die.mjs'),
    '/lab/stand-ins/lab-state.mjs': stubFor('lab-state.mjs'),
  };
}

async function etcdFiles(): Promise<Files> {
  const real = {
    etcdctl: await toolPath('etcd', 'etcdctl'),
    etcdutl: await toolPath('etcdutl', 'etcdutl'),
  };
  const entries = Object.entries(real).flatMap(([name, path]) => [
    [`/usr/bin/${name}`, imageProgram('etcd-tool')],
    [`/usr/libexec/${name}`, path],
  ]);
  return Object.fromEntries(entries) as Files;
}

function imageProgram(name: string): string {
  return resolve(import.meta.dirname, '../image-programs', name);
}

function stubFor(name: string): string {
  return resolve(import.meta.dirname, '../stand-ins', name);
}

function programPath(name: string): string {
  const path = pathOfProgram(name);
  if (path === undefined) throw new Error(`${name} is missing`);
  return realpathSync(path);
}

/** Writes texts below a folder. Returns the paths of the written files by image path. */
function writeFiles(folder: string, texts: Files): Files {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return [path, file];
    }),
  );
}

/** Selects the files below a prefix and moves them to another prefix. */
function below(
  from: string,
  to: string,
  files: Files,
  isWanted: (path: string) => boolean = () => true,
): Files {
  const paths = Object.keys(files).filter((path) => path.startsWith(from) && isWanted(path));
  return Object.fromEntries(paths.map((path) => [`${to}${path.slice(from.length)}`, files[path] ?? '']));
}
