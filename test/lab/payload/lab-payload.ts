import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { writeImageLayout, type ImageContents } from '../../real/control-plane/support/images.js';
import { outputOf } from '../../real/control-plane/support/run-program.js';
import { sno } from '../../support/command.js';
import { writeSignature } from '../../payload/made-release.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { pathOfProgram } from '../../support/programs.js';
import { filesOf, imageName, releaseImages } from '../release/images.js';
import { registryImages, releaseReference } from '../release/payload-images.js';

/** The payload of the lab's release. */
export interface LabPayload {
  readonly file: string;
  /** One line per image of the container runtime: its pull spec, and its names in pods. */
  readonly imports: string;
}

type Files = Readonly<Record<string, string>>;

/**
 * Creates a payload with the built command. The release names its images by digest, as real ones do. The container runtime needs
 * images with other contents under the same names, which the payload contains as additional images.
 */
export async function createPayload(folder: string, minor: number, release: Files): Promise<LabPayload> {
  const own = join(folder, 'payload');
  mkdirSync(own);
  const tag = releaseReference(minor);
  const tools = Object.entries(await registryImages(minor, join(own, 'by-tag'), release));
  const running = Object.entries(await releaseImages(minor, folder));
  const components = await layoutOf(join(own, 'components'), {
    ...Object.fromEntries(tools.filter(([name]) => name !== tag)),
    [imageName('docker-registry')]: registryImage(own),
    [imageName('cluster-version-operator')]: named('cluster-version-operator', running),
  });
  const runtime = await layoutOf(
    join(own, 'runtime'),
    Object.fromEntries(running.map(([name, contents]) => [runtimeName(name), contents])),
  );
  const stream = withDigests(release['payload/image-references'] ?? '', components);
  const byDigest = await registryImages(minor, join(own, 'by-digest'), {
    ...release,
    'payload/image-references': stream,
  });
  await layoutOf(join(own, 'plain'), { [tag]: named(tag, Object.entries(byDigest)) });
  // Compressed layers, as every real release has.
  await outputOf(['skopeo', 'copy', '--quiet', `oci:${join(own, 'plain')}`, `oci:${join(own, 'release')}:x`]);
  const [digest] = digestsIn(join(own, 'release'));
  // Required from 4.21 on.
  writeSignature(join(own, 'signatures'), digest?.digest ?? '');
  const byRuntime = (name: string): string => runtime[runtimeName(name)] ?? '';
  const site = join(own, 'site');
  mkdirSync(site);
  writeFileSync(join(site, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(
    join(site, 'sno-config.yaml'),
    snoConfigText(`releaseImage: ${byDigestOf(tag, digest?.digest ?? '')}\nreleaseVersion: '4.${minor}'\n`),
  );
  writeFileSync(
    join(site, 'payload.yaml'),
    `apiVersion: sno-install/v1alpha1\nkind: PayloadConfig\nadditionalImages:\n${running.map(([name]) => `  - name: ${byRuntime(name)}\n`).join('')}`,
  );
  const file = join(folder, 'lab.payload');
  const from = ['components', 'runtime', 'release', 'signatures'].flatMap((name) => [
    '--from',
    join(own, name),
  ]);
  const { code, stderr } = sno(['create', 'payload', site, ...from, '--out', file]);
  if (code !== 0) throw new Error(`create payload failed:\n${stderr}`);
  const imports = running.map(([name]) => [byRuntime(name), name, components[name] ?? ''].join(' ').trim());
  return { file, imports: `${imports.join('\n')}\n` };
}

function named(name: string, images: readonly (readonly [string, ImageContents])[]): ImageContents {
  const found = images.find(([reference]) => reference === name || reference === imageName(name));
  if (found === undefined) throw new Error(`no image ${name}`);
  return found[1];
}

function runtimeName(name: string): string {
  return name.replace('/ocp/', '/runtime/');
}

/** Debian's registry at the place where the image of the release has it. */
function registryImage(folder: string): ImageContents {
  const program = pathOfProgram('docker-registry');
  if (program === undefined) throw new Error('docker-registry is missing: apt-get install docker-registry');
  const config = join(folder, 'registry.yaml');
  writeFileSync(
    config,
    'version: 0.1\nstorage: {filesystem: {rootdirectory: /registry}}\nhttp: {addr: ":5000"}\n',
  );
  return {
    files: {
      ...filesOf([], [program]),
      '/usr/bin/distribution': program,
      '/etc/registry/config.yaml': config,
    },
  };
}

/** Writes an OCI layout. Returns the pull specs by digest. */
async function layoutOf(
  folder: string,
  images: Readonly<Record<string, ImageContents>>,
): Promise<Readonly<Record<string, string>>> {
  await writeImageLayout(images, folder);
  return Object.fromEntries(
    digestsIn(folder).map(({ digest, annotations = {} }) => {
      const reference = annotations['io.containerd.image.name'] ?? '';
      return [reference, byDigestOf(reference, digest)];
    }),
  );
}

function digestsIn(layout: string): readonly { readonly digest: string; readonly annotations?: Files }[] {
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    readonly manifests: readonly { readonly digest: string; readonly annotations?: Files }[];
  };
  return index.manifests;
}

function byDigestOf(reference: string, digest: string): string {
  return `${reference.replace(/:[^:/]*$/, '')}@${digest}`;
}

interface ImageStream {
  readonly spec: { readonly tags: readonly { readonly name: string; readonly from: object }[] };
}

function withDigests(text: string, components: Files): string {
  const stream = JSON.parse(text) as ImageStream;
  const names = [...stream.spec.tags.map(({ name }) => name), 'docker-registry'];
  const tags = names.map((name) => ({
    ...stream.spec.tags.find((each) => each.name === name),
    name,
    from: { kind: 'DockerImage', name: components[imageName(name)] },
  }));
  return JSON.stringify({ ...stream, spec: { ...stream.spec, tags } });
}

/** A USB stick that begins with the payload: a loop device of a copy. */
export interface Medium {
  readonly device: string;
  /** Every read fails, as after its removal. */
  readonly pullOut: () => void;
  readonly plugIn: () => void;
  readonly detach: () => Promise<void>;
}

export async function createMedium(payload: string, file: string): Promise<Medium> {
  copyFileSync(payload, file);
  const device = (await outputOf(['losetup', '--find', '--show', '--read-only', file])).trim();
  return {
    device,
    pullOut: () => {
      truncateSync(file, 0);
    },
    plugIn: () => {
      copyFileSync(payload, file);
    },
    detach: async () => {
      // A machine that was turned off leaves its loop device of the payload.
      const listed = await outputOf(['losetup', '--list', '--noheadings', '--output', 'NAME,BACK-FILE']);
      const loops = listed.split('\n').map((line) => line.trim().split(/\s+/));
      // The path of the machine, without its mount of /dev.
      const inner = loops.filter(([, from = '']) => basename(from) === basename(device) && from !== file);
      for (const each of [...inner.map(([name = '']) => name), device])
        await outputOf(['losetup', '--detach', each]);
    },
  };
}
