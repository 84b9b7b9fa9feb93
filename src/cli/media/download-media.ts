import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { tagArchitectures } from '../../config/reading/release.js';
import { isError, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { cacheFolder } from '../../disk/home.js';
import { entryAt } from '../../disk/image/image-file.js';
import { createRecordFolder } from '../../disk/record-file.js';
import {
  bootImagesIn,
  type BootImage,
  type BootImages,
  type StreamArchitecture,
} from '../../media/stream-metadata.js';
import { releases } from '../../release/releases.js';
import { downloadFile, sizeOf, type DownloadEdge } from '../../remote/download/download-file.js';
import type { ConnectionSettings } from '../../remote/http/connection.js';
import { commandLine } from '../../run/effects/command-line.js';
import { versionIn } from '../../release/release-version.js';
import type { GlobalOptions } from '../options.js';
import { report, reportResult } from '../output/report.js';
import { conflictError } from '../usage-error.js';
import { downloadProgress } from '../progress.js';
import { onStopSignals, type StopSignals } from '../stop-signals.js';
import { processSurroundings } from '../surroundings.js';
import type { DownloadOptions } from './download-options.js';
import {
  connectionOf,
  readDownloadConfig,
  releaseFault,
  streamMetadata,
  wantedRelease,
  type DownloadConfig,
} from './download-source.js';

type AllOptions = GlobalOptions & DownloadOptions;

/** Downloads the files of the live system, and prints their URLs, sizes and SHA-256. */
export async function downloadMedia(options: AllOptions): Promise<void> {
  const surroundings = processSurroundings();
  const config = await readDownloadConfig(options);
  const way = config.ok ? connectionOf(config.value, surroundings) : config;
  if (!config.ok || !way.ok) {
    report(options, { problems: problemsOf(way) });
    return;
  }
  const architecture = options.arch ?? architectureOf(config.value);
  const wanted = wantedRelease(options, config.value, architecture);
  if (!wanted.ok) {
    report(options, { problems: wanted.problems });
    return;
  }
  if (options.release !== undefined && options.stream !== undefined) {
    const hint = 'remove --release: the file of --stream names the images of its release';
    conflictError(options, '--release and --stream cannot be combined', hint);
    return;
  }
  const cache = join(cacheFolder(surroundings.variables), 'media');
  const metadata = await streamMetadata(options, {
    config: config.value,
    wanted: wanted.value,
    architecture,
    way: way.value,
    cache,
    surroundings,
  });
  const osStream =
    options.osStream ??
    osStreamOf(config.value, wanted.value.version, metadata.ok ? [...metadata.value.streams.keys()] : []);
  const images = metadata.ok
    ? bootImagesIn(metadata.value, {
        architecture,
        format: options.format,
        ...(osStream !== undefined && { osStream }),
      })
    : metadata;
  const mismatch =
    images.ok && metadata.ok && (options.release !== undefined || config.value !== undefined)
      ? releaseFault(images.value.build, metadata.value.source, wanted.value.version)
      : [];
  if (!images.ok || mismatch.length > 0) {
    report(options, { problems: [...config.warnings, ...problemsOf(images), ...mismatch] });
    return;
  }
  await fetchImages(options, {
    images: images.value,
    architecture,
    way: way.value,
    cache,
    warnings: config.warnings,
  });
}

function architectureOf(config: DownloadConfig): StreamArchitecture {
  return tagArchitectures[config?.install.controlPlane.architecture ?? 'amd64'];
}

/** The OS stream of the configuration or the release, if the metadata names streams. */
function osStreamOf(
  config: DownloadConfig,
  version: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (!offered.some((name) => name !== '')) return undefined;
  const parsed = versionIn(version ?? '');
  const own = parsed && releases.like(parsed).osStream;
  return config?.install.osImageStream ?? (own !== undefined && offered.includes(own) ? own : undefined);
}

interface Fetching {
  readonly images: BootImages;
  readonly architecture: StreamArchitecture;
  readonly way: ConnectionSettings;
  readonly cache: string;
  readonly warnings: readonly Problem[];
}

/** A file with its result. */
interface FetchedImage {
  readonly image: BootImage;
  readonly bytes?: number;
  /** Absent if the file was not downloaded. */
  readonly path?: string;
}

async function fetchImages(options: AllOptions, fetching: Fetching): Promise<void> {
  const signals = onStopSignals();
  const problems: Problem[] = [...fetching.warnings];
  const fetched: FetchedImage[] = [];
  try {
    const folder =
      options.out === undefined && options.print !== true ? createRecordFolder(fetching.cache) : undefined;
    problems.push(...(folder === undefined ? [] : problemsOf(folder)));
    for (const image of fetching.images.files) {
      if (problems.some(isError)) {
        fetched.push({ image });
        continue;
      }
      const one = await fetchImage(image, { options, fetching, signals });
      fetched.push(one.fetched);
      problems.push(...one.problems);
    }
  } finally {
    signals.release();
  }
  const { build } = fetching.images;
  reportResult(options, {
    problems,
    text: textOf(options, build, fetched),
    json: { architecture: fetching.architecture, build, images: fetched.map(dataOf) },
  });
  if (signals.exitCode() !== 0) process.exitCode = signals.exitCode();
}

interface FetchRequest {
  readonly options: AllOptions;
  readonly fetching: Fetching;
  readonly signals: StopSignals;
}

async function fetchImage(
  image: BootImage,
  { options, fetching, signals }: FetchRequest,
): Promise<{ readonly fetched: FetchedImage; readonly problems: readonly Problem[] }> {
  const path = pathOf(image, options, fetching.cache);
  const download = { url: image.url, sha256: image.sha256, path, command: commandLine() };
  if (options.print === true) {
    const size = await sizeOf(download, { way: fetching.way, stop: signals.stop });
    const bytes = size.ok ? size.value : undefined;
    return { fetched: { image, ...(bytes !== undefined && { bytes }) }, problems: problemsOf(size) };
  }
  let bytes: number | undefined;
  const progress = downloadProgress(options, image.name);
  const edge: DownloadEdge = {
    way: fetching.way,
    stop: signals.stop,
    now: () => new Date(),
    pause: (ms, signal) => wait(ms, undefined, { signal }),
    onProgress: (received, total) => {
      bytes = total ?? received;
      progress.onProgress(received, total);
    },
  };
  const done = await downloadFile(download, edge);
  progress.done();
  const size = done.ok ? done.value.bytes : bytes;
  return {
    fetched: { image, ...(size !== undefined && { bytes: size }), ...(done.ok && { path: resolve(path) }) },
    problems: problemsOf(done),
  };
}

/** One file is written to `--out`, or into it if it is a folder; several are written into it. */
function pathOf({ name }: BootImage, { out, format }: AllOptions, cache: string): string {
  if (out === undefined) return join(cache, name);
  const isFolder = format !== 'iso' || entryAt(out)?.isDirectory() === true;
  return isFolder ? join(out, name) : out;
}

function textOf({ print, dir }: AllOptions, build: string, fetched: readonly FetchedImage[]): string {
  const parts = fetched.map(({ image, bytes, path }) =>
    [
      `URL      ${image.url.href}`,
      `Size     ${bytes === undefined ? 'unknown' : `${bytes} bytes`}`,
      `SHA-256  ${image.sha256}`,
      ...(path === undefined ? [] : [`File     ${path}, verified`]),
      '',
    ].join('\n'),
  );
  const iso = fetched.find(({ image }) => image.kind === 'iso');
  const next =
    print === true || iso?.path === undefined
      ? ''
      : `\nNext: sno-install create iso ${dir} --iso ${iso.path}\n`;
  return `CoreOS ${build}\n${parts.join('\n')}${next}`;
}

function dataOf({ image, bytes, path }: FetchedImage): Readonly<Record<string, unknown>> {
  return {
    kind: image.kind,
    name: basename(image.url.pathname),
    url: image.url.href,
    sha256: image.sha256,
    ...(bytes !== undefined && { bytes }),
    ...(path !== undefined && { path }),
  };
}
