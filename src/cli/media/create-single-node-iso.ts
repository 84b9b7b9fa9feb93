import { join } from 'node:path';

import { kernelWordsOf } from '../../bootable/kernel-words.js';
import { minimalFault } from '../../bootable/minimal-fault.js';
import { prepareIso, type PreparedIso } from '../../bootable/prepare-iso.js';
import { writeIso, writeRootfs } from '../../bootable/write-iso.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { openImage, placeForImage } from '../../disk/image-file.js';
import { patched, piecesOf, type DiskImage } from '../../media/disk-image.js';
import { embedConfig } from '../../media/single-node-iso.js';
import { check, type RunRequest } from '../../run.js';
import { liveTarget, makeConfig } from './made-config.js';
import type { GlobalOptions, IsoOptions, RecipientOptions } from '../../command-line/options.js';
import { exitCodeOf, report, tellProblems } from '../../command-line/output/report.js';
import { usageError } from '../../command-line/usage-error.js';
import { isoData, isoSummary, type MadeIso } from './iso-summary.js';
import { requestOf, signerOf } from '../../command-line/request.js';

type AllOptions = GlobalOptions & IsoOptions & RecipientOptions;

const toStdout = '-';

/** Makes the Ignition configs, and a live ISO that boots with them. */
export async function createSingleNodeIso(options: AllOptions): Promise<void> {
  const fault = minimalFault(options);
  if (fault !== undefined) {
    usageError(options, ...fault);
    return;
  }
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
    tell(options, await makeIso(options, prepared.value), prepared.warnings);
  } finally {
    close();
  }
}

interface Prepared extends PreparedIso {
  /** The same for judging and for making: what it reads from stdin is there once. */
  readonly request: RunRequest;
  /** Where the image goes. */
  readonly path: string;
}

/** Finds everything that is wrong with image, place and configs before a key is drawn. */
async function prepare(image: DiskImage, options: AllOptions): Promise<Result<Prepared>> {
  const [path, words] = [placeOf(options), kernelWordsOf(options)];
  const { live, installed } = words.ok ? words.value : { live: [], installed: [] };
  const signer = await signerOf(options);
  const request = requestOf(liveTarget, options, {
    kernelArguments: installed,
    ...(signer.ok && signer.value),
  });
  const checked = await check(request);
  const wish = { ...options, force: options.force === true, kernelArguments: live, out: pathOf(options) };
  const iso = await prepareIso(image, wish, checked.ok ? (checked.value.liveImage ?? {}) : {});
  return signer.ok && path.ok && words.ok && checked.ok && iso.ok
    ? success({ ...iso.value, request, path: path.value }, iso.warnings)
    : failure(...[path, words, signer, iso, checked].flatMap(problemsOf));
}

async function makeIso(options: AllOptions, prepared: Prepared): Promise<Result<MadeIso>> {
  const { request, iso, path, source } = prepared;
  const made = await makeConfig(options, request);
  if (!made.ok) return made;
  const { bytes: config, report: ignition } = made.value;
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return failure(...made.warnings, ...embedded.problems);
  const { patches, usedBytes } = embedded.value;
  const rootfs = await writeRootfs(prepared);
  if (!rootfs.ok) return failure(...made.warnings, ...rootfs.problems);
  if (path === toStdout) await stream(patched(source.image, patches));
  else {
    const written = await writeIso({ prepared, patches, config, live: options.iso, to: path });
    if (!written.ok) return failure(...made.warnings, ...written.problems);
  }
  const { rootfsOut } = options;
  return success(
    {
      path,
      usedBytes,
      limitBytes: iso.area.length,
      ignition,
      ...(source.minimal && { rootfsUrl: source.minimal.rootfsUrl }),
      ...(rootfsOut !== undefined && { rootfsFile: rootfsOut }),
    },
    made.warnings,
  );
}

/** What became of it. The Ignition configs are written by then, whatever happened to the image. */
function tell(options: AllOptions, made: Result<MadeIso>, earlier: readonly Problem[]): void {
  const problems = [...earlier, ...problemsOf(made)];
  if (made.ok) {
    const isStreamed = options.out === toStdout;
    report(options, {
      problems,
      ...(!isStreamed && { text: isoSummary(made.value), json: isoData(made.value) }),
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

function pathOf({ dir, out, iso, inPlace }: AllOptions): string {
  return inPlace === true ? iso : (out ?? join(dir, 'single-node.iso'));
}

/** Where the image goes. Problems: media/output. */
function placeOf(options: AllOptions): Result<string> {
  const { out, inPlace, output } = options;
  const refused = (message: string, hint: string): Result<string> =>
    failure(problem('media/output', message, { hint }));
  if (inPlace === true && out !== undefined)
    return refused('--in-place and --out exclude each other', 'leave one of them out');
  if (inPlace === true) return success(pathOf(options));
  if (out !== toStdout) return placeForImage(pathOf(options));
  if (output === 'json') return refused('stdout takes the image or JSON, not both', 'use --out FILE');
  return process.stdout.isTTY
    ? refused('an image is not written to a terminal', 'use --out FILE')
    : success(toStdout);
}

async function stream(image: DiskImage): Promise<void> {
  for (const piece of piecesOf(image)) {
    const isTaken = process.stdout.write(piece);
    if (!isTaken) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
