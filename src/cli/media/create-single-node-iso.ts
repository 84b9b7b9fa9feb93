import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { copyImage, openImage, patchImage, placeForImage } from '../../disk/image-file.js';
import { patched, type DiskImage, type Patch } from '../../media/disk-image.js';
import {
  configIn,
  embedConfig,
  openLiveIso,
  type IsoOrder,
  type OpenIso,
} from '../../media/single-node-iso.js';
import { check, type RunReport, type RunRequest } from '../../run.js';
import { liveTarget, makeConfig } from './made-config.js';
import type { GlobalOptions, IsoOptions, RecipientOptions } from '../options.js';
import { exitCodeOf, report, tellProblems } from '../output/report.js';
import { kernelWordsOf } from './kernel-words.js';
import { requestOf } from '../request.js';

type AllOptions = GlobalOptions & IsoOptions & RecipientOptions;

const toStdout = '-';

/** Makes the Ignition configs, and a live ISO that boots with them. */
export async function createSingleNodeIso(options: AllOptions): Promise<void> {
  const opened = openImage('--iso', options.iso);
  if (!opened.ok) {
    report(options, { problems: opened.problems });
    return;
  }
  const { image, close } = opened.value;
  try {
    const prepared = await prepare(image, options);
    if (!prepared.ok) {
      report(options, { problems: prepared.problems });
      return;
    }
    tell(options, await makeIso(image, { options, prepared: prepared.value }), prepared.warnings);
  } finally {
    close();
  }
}

interface Prepared {
  /** The same for judging and for making: what it reads from stdin is there once. */
  readonly request: RunRequest;
  readonly iso: OpenIso;
  /** Where the image goes. */
  readonly path: string;
}

/** Finds everything that is wrong with image, place and configs before a key is drawn. */
async function prepare(image: DiskImage, options: AllOptions): Promise<Result<Prepared>> {
  const [path, words] = [placeOf(options), kernelWordsOf(options)];
  const request = requestOf(liveTarget, options, { kernelArguments: words.ok ? words.value.installed : [] });
  const checked = await check(request);
  const order: IsoOrder = {
    force: options.force === true,
    kernelArguments: words.ok ? words.value.live : [],
    ...(checked.ok && checked.value.liveImage),
  };
  const iso = await openLiveIso(image, order);
  return path.ok && words.ok && checked.ok && iso.ok
    ? success({ request, iso: iso.value, path: path.value }, iso.warnings)
    : failure(...[path, words, iso, checked].flatMap(problemsOf));
}

interface MadeIso {
  readonly path: string;
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly ignition: RunReport;
}

interface Making {
  readonly options: AllOptions;
  readonly prepared: Prepared;
}

async function makeIso(
  image: DiskImage,
  { options, prepared: { request, iso, path } }: Making,
): Promise<Result<MadeIso>> {
  const made = await makeConfig(options, request);
  if (!made.ok) return made;
  const { bytes: config, report: ignition } = made.value;
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return failure(...made.warnings, ...embedded.problems);
  const { patches, usedBytes } = embedded.value;
  const written = await write(image, { options, path, patches, config });
  return written.ok
    ? success({ path, usedBytes, limitBytes: iso.area.length, ignition }, made.warnings)
    : failure(...made.warnings, ...written.problems);
}

/** What became of it. The Ignition configs are written by then, whatever happened to the image. */
function tell(options: AllOptions, made: Result<MadeIso>, earlier: readonly Problem[]): void {
  const problems = [...earlier, ...problemsOf(made)];
  if (made.ok) {
    const isStreamed = options.out === toStdout;
    report(options, {
      problems,
      ...(!isStreamed && { text: summary(made.value), json: jsonOf(made.value) }),
    });
    return;
  }
  if (options.output === 'json') {
    report(options, { problems });
    return;
  }
  tellProblems(options, problems);
  process.stderr.write('\nno image was written\n');
  process.exitCode = exitCodeOf(problems);
}

/** Where the image goes. Problems: media/output. */
function placeOf({ dir, iso, out, inPlace, output }: AllOptions): Result<string> {
  const refused = (message: string, hint: string): Result<string> =>
    failure(problem('media/output', message, { hint }));
  if (inPlace === true && out !== undefined)
    return refused('--in-place and --out exclude each other', 'leave one of them out');
  if (inPlace === true) return success(iso);
  if (out !== toStdout) return placeForImage(out ?? join(dir, 'single-node.iso'));
  if (output === 'json') return refused('stdout takes the image or JSON, not both', 'use --out FILE');
  return process.stdout.isTTY
    ? refused('an image is not written to a terminal', 'use --out FILE')
    : success(toStdout);
}

interface Writing {
  readonly options: AllOptions;
  readonly path: string;
  readonly patches: readonly Patch[];
  readonly config: Buffer;
}

async function write(image: DiskImage, { options, path, patches, config }: Writing): Promise<Result<void>> {
  const isSound = async (written: DiskImage): Promise<boolean> => {
    const found = await configIn(written);
    return found.ok && found.value?.equals(config) === true;
  };
  if (options.inPlace === true) return patchImage(path, patches, isSound);
  if (path !== toStdout) return copyImage({ from: options.iso, to: path, patches, isSound });
  await stream(patched(image, patches));
  return success(undefined);
}

const chunkBytes = 1024 * 1024;

async function stream(image: DiskImage): Promise<void> {
  for (let offset = 0; offset < image.bytes; offset += chunkBytes) {
    const chunk = image.read(offset, Math.min(chunkBytes, image.bytes - offset));
    const isTaken = chunk === undefined || process.stdout.write(chunk);
    if (!isTaken) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

function summary({ path, usedBytes, limitBytes, ignition }: MadeIso): string {
  const until = ignition.bootableUntil;
  return [
    `Wrote ${path}, for its owner alone: it holds the keys of the cluster.`,
    `The Ignition config takes ${usedBytes} of ${limitBytes} bytes, and was read back from the image.`,
    ...(until === undefined ? [] : [`Boot it before ${rfc3339(until)}: certificates end then.`]),
    '',
    'Next: boot the machine from it, once. It installs itself and reboots.',
    '',
  ].join('\n');
}

function jsonOf({ path, usedBytes, limitBytes, ignition }: MadeIso): Readonly<Record<string, unknown>> {
  const { bootableUntil } = ignition;
  return {
    path,
    embedded: { bytes: usedBytes, isExact: true, limitBytes },
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
