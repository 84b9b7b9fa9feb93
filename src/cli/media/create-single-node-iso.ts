import { siteIsoName } from '../../fleet/build/index.js';
import { join } from 'node:path';

import { parseKernelArguments } from '../../run/media/parse-kernel-arguments.js';
import { minimalFault } from '../../run/media/minimal-fault.js';
import { type PreparedIso, prepareIso } from '../../run/media/prepare-iso.js';
import { isIsoWithoutReceipt, writeIsoWithReceipt } from '../../run/media/iso-receipt.js';
import type { MediumFile } from '../../disk/receipt/write-medium-receipt.js';
import { writeIso, writeRootfs } from '../../run/media/write-iso.js';
import type { GlobalOptions, IsoOptions, RecipientOptions, RenewOptions } from '../options.js';
import { exitCodeOf, report, printProblems } from '../output/report.js';
import { parseRenewal } from '../renewal.js';
import { runRequest, signerOf } from '../request.js';
import { conflictError, usageError } from '../usage-error.js';
import { type Problem, isError, problem } from '../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { fileSize } from '../../disk/file-size.js';
import { unignoredSecrets } from '../../disk/git/unignored-secrets.js';
import { openImage, checkImagePath, isSameFile, type Overwrite } from '../../disk/image/image-file.js';
import { removeMediaReceipt, mediaReceiptPath } from '../../disk/receipt/media-receipt.js';
import { type DiskImage, type Patch, patchedImage, piecesOf } from '../../formats/disk-image.js';
import type { ImageFacts } from '../../media/image-mismatches.js';
import { releaseText } from '../../media/machine-of.js';
import { embedConfig } from '../../media/single-node-iso.js';
import { look, type RunReport, type RunOptions } from '../../run/run.js';
import { liveImage } from '../../run/target-assets.js';
import { existingOutput } from '../../run/sources/existing-output.js';
import { payloadForIso, type PayloadForIso } from '../payload/payload-for-iso.js';
import { checkConfig, liveTarget, generateLiveConfig } from './live-config.js';
import { liveConfigName } from '../../serve/site-folders.js';
import { reportMissingReceipt } from './report-missing-receipt.js';
import { isData } from '../output/data.js';
import { shortSheetOf } from '../output/short-sheet.js';

type AllOptions = GlobalOptions & IsoOptions & RenewOptions & RecipientOptions;

/** Generates the Ignition configs and a live ISO with the embedded config. */
export async function createSingleNodeIso(options: AllOptions): Promise<void> {
  const conflict = conflictOf(options);
  if (conflict !== undefined) {
    conflictError(options, ...conflict);
    return;
  }
  const fault = minimalFault(options);
  if (fault !== undefined) {
    usageError(options, ...fault);
    return;
  }
  const isMissing = fileSize(options.iso) === undefined;
  const opened = openImage('--iso', options.iso, isMissing ? await configuredRelease(options) : undefined);
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
    const { payload, ...rest } = prepared.value;
    try {
      const checked = await payload.check();
      if (!checked.ok) {
        report(options, { problems: [...prepared.warnings, ...checked.problems] });
        return;
      }
      const whole = { ...rest, source: payload.append(rest.source) };
      const made = await makeIso(image, options, whole);
      const { words } = payload;
      const shown =
        made.ok && words !== undefined ? success({ ...made.value, payload: words }, made.warnings) : made;
      reportIso(options, shown, prepared.warnings);
    } finally {
      payload.close();
    }
  } finally {
    close();
  }
}

/** The release of the configuration, such as `4.18`; undefined if it is unknown. */
async function configuredRelease(options: AllOptions): Promise<string | undefined> {
  const wanted = await look(runRequest(liveTarget, options, { isStateOptional: true }), liveImage);
  return wanted.ok ? wanted.value.release : undefined;
}

/** Options that exclude each other, with a hint. */
function conflictOf(options: AllOptions): readonly [message: string, hint: string] | undefined {
  const { inPlace, minimal, out, output, payload } = options;
  if (inPlace === true && typeof payload === 'string')
    return [
      '--payload and --in-place cannot be combined',
      'an ISO with a payload is another file: use --out FILE',
    ];
  if (inPlace === true && minimal === true)
    return ['--minimal and --in-place cannot be combined', 'a minimal image is another file: use --out FILE'];
  if (inPlace === true && out !== undefined)
    return ['--in-place and --out cannot be combined', 'remove one of them'];
  return out === toStdout && isData(options)
    ? [`--out - and --output ${output} cannot be combined`, 'use --out FILE']
    : undefined;
}

interface Prepared extends PreparedIso {
  /** Used for both validation and generation, because stdin can be read only once. */
  readonly request: RunOptions;
  /** Path of the ISO and of its receipt; no receipt if the ISO goes to stdout. */
  readonly path: string;
  readonly receipt?: string;
}

/** Checks image, output path and configs before any key is generated. */
async function prepare(
  image: DiskImage,
  options: AllOptions,
): Promise<Result<Prepared & { readonly payload: PayloadForIso }>> {
  const [receipt, words] = [receiptPlace(options), parseKernelArguments(options)];
  const { live, installed } = words.ok ? words.value : { live: [], installed: [] };
  const [signer, renewal] = [await signerOf(options), parseRenewal(options)];
  const request = runRequest(liveTarget, options, {
    kernelArguments: installed,
    ...(signer.ok && signer.value),
    ...(renewal.ok && renewal.value),
  });
  const checked = await checkConfig(options, request);
  const path = await isoPlace(options, request);
  const { force = false, overwrite = false } = options;
  const isoRequest = { ...options, force, overwrite, kernelArguments: live, out: isoPath(options) };
  const iso = await prepareIso(image, isoRequest, checked.ok ? (checked.value.liveImage ?? {}) : {});
  const images = { live: image, written: iso.ok ? iso.value.source.image : image };
  const payload = await payloadForIso(images, options, request);
  if (signer.ok && renewal.ok && path.ok && receipt.ok && words.ok && checked.ok && iso.ok && payload.ok) {
    const parts = { ...iso.value, ...receipt.value, request, path: path.value, payload: payload.value };
    return success(parts, [...payload.warnings, ...iso.warnings]);
  }
  if (payload.ok) payload.value.close();
  return failure(...[path, receipt, words, signer, renewal, iso, payload, checked].flatMap(problemsOf));
}

async function makeIso(image: DiskImage, options: AllOptions, prepared: Prepared): Promise<Result<MadeIso>> {
  const { request, iso, path, source } = prepared;
  const made = await generateLiveConfig(options, request);
  if (!made.ok) return made;
  const { bytes: config, report: ignition } = made.value;
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return failure(...made.warnings, ...embedded.problems);
  const { patches, usedBytes } = embedded.value;
  const { rootfsOut, overwrite = false } = options;
  const rootfs = await writeRootfs(prepared, { path: rootfsOut, overwrite });
  if (!rootfs.ok) return failure(...made.warnings, ...rootfs.problems);
  const written = await writeWith(prepared, { image, options, config, patches, others: rootfs.value });
  if (!written.ok) return failure(...made.warnings, ...written.problems);
  return success(
    {
      path,
      live: { path: options.iso, facts: iso.facts },
      usedBytes,
      limitBytes: iso.area.length,
      ignition,
      sheet: shortSheetOf(config),
      ...written.value,
      ...(source.minimal && { rootfsUrl: source.minimal.rootfsUrl }),
      ...(rootfsOut !== undefined && { rootfsFile: rootfsOut }),
    },
    [...made.warnings, ...written.warnings],
  );
}

interface Writing {
  readonly image: DiskImage;
  readonly options: AllOptions;
  readonly config: Buffer;
  readonly patches: readonly Patch[];
  readonly others: readonly MediumFile[];
}

/**
 * Writes the ISO, then its receipt. Problems of the receipt do not fail the result, because the ISO is already written; they are in
 * `warnings`.
 */
async function writeWith(
  prepared: Prepared,
  { image, options, config, patches, others }: Writing,
): Promise<Result<Pick<MadeIso, 'receipt'>>> {
  const { path: to, receipt, source, request } = prepared;
  if (receipt === undefined) {
    await stream(patchedImage(source.image, patches));
    return success({});
  }
  const { dir, iso: live, overwrite = false } = options;
  const forgotten = removeMediaReceipt(to, receipt, { overwrite });
  const written = forgotten.ok
    ? await writeIso({ prepared, patches, config, live, to, overwrite })
    : forgotten;
  if (!written.ok) return written;
  const receipted = writeIsoWithReceipt(receipt, {
    ...{ prepared, dir, to, others, digests: written.value },
    live: { image, path: live },
    config: { path: liveConfigName, bytes: config },
    ...(request.signer && { signer: request.signer }),
  });
  return success({ receipt }, problemsOf(receipted));
}

/** Prints the result. At this point, the Ignition configs are written even if the ISO is not. */
function reportIso(options: AllOptions, made: Result<MadeIso>, earlier: readonly Problem[]): void {
  const problems = [...earlier, ...problemsOf(made)];
  if (made.ok && problems.some(isError)) {
    reportMissingReceipt(options, problems);
    return;
  }
  if (made.ok) {
    const isStreamed = options.out === toStdout;
    const unignored = unignoredSecrets(options.dir, { media: isStreamed ? [] : [made.value.path] });
    report(options, {
      problems: [...problems, ...unignored],
      ...(!isStreamed && { text: isoSummary(made.value), json: isoData(made.value) }),
    });
    return;
  }
  if (isData(options)) {
    report(options, { problems });
    return;
  }
  printProblems(options, problems);
  process.stderr.write('\nno ISO was written\n');
  process.exitCode = exitCodeOf(problems);
}

async function stream(image: DiskImage): Promise<void> {
  for (const piece of piecesOf(image)) {
    const isFlushed = process.stdout.write(piece);
    if (!isFlushed) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

type PlaceOptions = GlobalOptions & IsoOptions;

/** The value of `--out` for stdout. */
const toStdout = '-';

/** Returns the output path of the ISO. */
function isoPath({ dir, out, iso, inPlace }: PlaceOptions): string {
  return inPlace === true ? iso : (out ?? join(dir, siteIsoName));
}

/** Returns the path of the receipt. Problems: media/output. */
function receiptPlace(options: PlaceOptions): Result<{ readonly receipt?: string }> {
  const path = isoPath(options);
  if (path === toStdout) return success({});
  const place = mediaReceiptPath(path);
  return place.ok ? success({ receipt: place.value }) : place;
}

/** Returns the output path and checks that it may be written. Problems: media/output. */
async function isoPlace(options: PlaceOptions, request: RunOptions): Promise<Result<string>> {
  const { out, inPlace, iso, overwrite = false } = options;
  const refused = (message: string, hint: string): Result<string> =>
    failure(problem('media/output', message, { hint }));
  if (inPlace === true) return success(isoPath(options));
  if (out !== toStdout) {
    if (isSameFile(isoPath(options), iso)) return refused('--out is the live ISO of --iso', 'use --in-place');
    return placeOfFile(isoPath(options), request, { overwrite });
  }
  return process.stdout.isTTY
    ? refused('cannot write the ISO to a terminal', 'use --out FILE')
    : success(toStdout);
}

/** Allows overwriting an ISO of the same config without a receipt, which an interrupted run has left. */
async function placeOfFile(
  path: string,
  { dir, access }: RunOptions,
  overwrite: Overwrite,
): Promise<Result<string>> {
  const place = checkImagePath(path, overwrite);
  if (place.ok) return place;
  const config = await existingOutput(dir, liveConfigName, access);
  return config?.ok === true && (await isIsoWithoutReceipt(path, Buffer.from(config.value)))
    ? success(path)
    : place;
}

/** The live ISO that an ISO was created from. */
interface CreatedFrom {
  readonly path: string;
  readonly facts: ImageFacts;
}

interface MadeIso {
  readonly path: string;
  readonly live: CreatedFrom;
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly ignition: RunReport;
  /** Lines of the short sheet of the site. */
  readonly sheet: readonly string[];
  /** Absent if the ISO goes to stdout. */
  readonly receipt?: string;
  /** Set for a minimal ISO. */
  readonly rootfsUrl?: URL;
  /** Path of the extracted root file system, if requested. */
  readonly rootfsFile?: string;
  /** The appended payload in words. */
  readonly payload?: string;
}

function isoSummary(made: MadeIso): string {
  const { path, live, usedBytes, limitBytes, sheet, receipt, payload } = made;
  return [
    `Wrote ${path}, readable only by its owner because it contains the keys of the cluster.`,
    `Embedded Ignition config: ${usedBytes} of ${limitBytes} bytes, verified.`,
    `Live ISO: ${[live.path, live.facts.volume ?? '', releaseText(live.facts.release)].join(', ')}`,
    ...(payload === undefined ? [] : [`Payload: ${payload}`]),
    ...(receipt === undefined ? [] : [`Receipt: ${receipt}`]),
    '',
    ...sheet,
    ...nextLines(made),
    '',
  ].join('\n');
}

function nextLines({ rootfsUrl, rootfsFile }: MadeIso): readonly string[] {
  const boot = 'boot the machine from it once. It installs to disk and reboots.';
  if (rootfsUrl === undefined) return [`Next: ${boot}`];
  const what =
    rootfsFile === undefined
      ? 'the root file system of this live ISO (extract it with `--rootfs-out FILE`)'
      : rootfsFile;
  return [
    `Next: serve ${what}`,
    `as ${rootfsUrl.href}, reachable for the machine. The live system downloads it`,
    `and boots only with this file. Then ${boot}`,
  ];
}

function isoData(made: MadeIso): Readonly<Record<string, unknown>> {
  const { path, live, usedBytes, limitBytes, ignition, receipt, rootfsUrl, rootfsFile } = made;
  const { bootableUntil } = ignition;
  return {
    path,
    liveIso: {
      path: live.path,
      ...(live.facts.volume !== undefined && { volume: live.facts.volume }),
      ...(live.facts.release !== undefined && { release: live.facts.release }),
    },
    embedded: { bytes: usedBytes, isExact: true, limitBytes },
    ...(receipt !== undefined && { receipt }),
    ...(rootfsUrl && {
      rootfs: { url: rootfsUrl.href, ...(rootfsFile !== undefined && { file: rootfsFile }) },
    }),
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
