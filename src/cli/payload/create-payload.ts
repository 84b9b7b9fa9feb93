import { isAbsolute, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { payloadFacts, type PayloadFacts } from '../../assets/images/payload-images.js';
import { programVersion } from '../../core/program-version.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { localSource, type ImageSource } from '../../disk/payload/image-source.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { createPayload, partialFolder, type CreatedPayload } from '../../payload/create-payload.js';
import type { PayloadRequest } from '../../payload/collect-images.js';
import { placesOf } from '../../remote/preflight/pull-places.js';
import { registrySource } from '../../remote/payload/registry-source.js';
import { commandLine } from '../../run/effects/command-line.js';
import { look } from '../../run/run.js';
import { isFolder } from '../../run/sources/review-folder.js';
import { connectionOf } from '../media/download-source.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { sizeText } from '../output/size-text.js';
import { payloadProgress } from '../progress.js';
import { runRequest } from '../request.js';
import { onStopSignals, type StopSignals } from '../stop-signals.js';
import { processSurroundings } from '../surroundings.js';

export interface PayloadOptions {
  readonly out?: string;
  /** Folders and archives with images. */
  readonly from?: readonly string[];
  readonly overwrite?: true;
}

type AllOptions = GlobalOptions & PayloadOptions;

/** Copies all images of a release into one file. */
export async function createPayloadFile(options: AllOptions): Promise<void> {
  const request = {
    ...runRequest('single-node-ignition-config', options, { isStateOptional: true }),
    payloadUse: 'create' as const,
  };
  const facts = await look(request, payloadFacts);
  if (!facts.ok) {
    report(options, { problems: facts.problems });
    return;
  }
  const signals = onStopSignals();
  const progress = payloadProgress(options);
  const out = options.out ?? defaultName(facts.value);
  try {
    const source = sourceOf(options, facts.value, signals);
    const created = source.ok
      ? await createPayload({
          request: requestOf(facts.value),
          source: source.value,
          out,
          overwrite: options.overwrite === true,
          command: commandLine(),
          createdBy: `sno-install ${programVersion}`,
          stop: signals.stop,
          onProgress: progress.onProgress,
        })
      : source;
    progress.done();
    report(options, {
      problems: [...facts.warnings.filter((each) => concerns(options, each)), ...problemsOf(created)],
      ...(created.ok && { text: textOf(created.value, options.dir), json: dataOf(created.value) }),
      ...(!created.ok &&
        isFolder(partialFolder(out)) && {
          kept: `${partialFolder(out)} keeps what was copied, and the next run continues it`,
        }),
    });
  } finally {
    progress.done();
    signals.release();
  }
  if (signals.exitCode() !== 0) process.exitCode = signals.exitCode();
}

/** Whether a warning of the configuration concerns the creation: nothing is pulled with `--from`. */
function concerns({ from }: AllOptions, { code }: Problem): boolean {
  return from === undefined || code !== 'config/release-without-credentials';
}

function requestOf({ network, release, config, images }: PayloadFacts): PayloadRequest {
  return {
    release: release.image,
    version: release.version?.text,
    architecture: network.install.controlPlane.architecture,
    featureSet: network.install.featureSet,
    additional: [...images, ...config.additionalImages],
    registryImage: config.registryImage,
  };
}

/** Problems: payload/source, usage/proxy. */
function sourceOf(
  { from }: AllOptions,
  { network }: PayloadFacts,
  signals: StopSignals,
): Result<ImageSource> {
  if (from !== undefined) return localSource(from);
  const way = connectionOf(network, processSurroundings());
  if (!way.ok) return way;
  return success(
    registrySource({
      placesOf: (image) => placesOf(image, network.install),
      pullSecret: network.install.pullSecret.reveal(),
      command: commandLine(),
      edge: {
        way: way.value,
        stop: signals.stop,
        now: () => new Date(),
        pause: (ms, signal) => wait(ms, undefined, { signal }),
      },
    }),
  );
}

/** Such as `4.22.0-x86_64.payload`, after the tag or the version of the release. */
function defaultName({ release, network }: PayloadFacts): string {
  const { tag } = parseImageReference(release.image) ?? {};
  const version = release.version?.text ?? 'release';
  return `${tag ?? `${version}-${network.install.controlPlane.architecture}`}.payload`;
}

function textOf({ path, manifestPath, manifest, bytes }: CreatedPayload, dir: string): string {
  const { release, images, blobs } = manifest;
  return [
    `Wrote ${path}: OpenShift ${release.version} for ${release.architecture}, ${images.length} images, ${sizeText(bytes)}, verified.`,
    `Wrote ${manifestPath}, which validate, create and diff read. Commit it; the payload itself need not be committed.`,
    `Release   ${release.image}`,
    `Registry  ${manifest.registry.image}`,
    `Blobs     ${blobs.count}, ${blobs.bytes} bytes`,
    `SHA-256   ${manifest.fileSystem.sha256} (file system)`,
    '',
    `Next: name it in ${join(dir, 'sno-config.yaml')}, and create the medium:`,
    '  payload:',
    `    file: ${isAbsolute(path) ? path : relative(dir, path)}`,
    '',
  ].join('\n');
}

function dataOf({ path, manifestPath, manifest, bytes }: CreatedPayload): Readonly<Record<string, unknown>> {
  const { release, registry, images, blobs, fileSystem } = manifest;
  return { path, manifestPath, bytes, release, registry, images: images.length, blobs, fileSystem };
}
