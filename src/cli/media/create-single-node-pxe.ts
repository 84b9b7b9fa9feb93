import { join } from 'node:path';

import { parseKernelArguments } from '../../run/media/parse-kernel-arguments.js';
import { writeMediumReceipt, type MediumFile } from '../../disk/receipt/write-medium-receipt.js';
import { writePxe } from '../../run/media/write-pxe.js';
import { mapRecord } from '../../core/map-record.js';
import type { OutputFile } from '../../core/output-file.js';
import { isError } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { unignoredSecrets } from '../../disk/git/unignored-secrets.js';
import { mediaReceiptPath } from '../../disk/receipt/media-receipt.js';
import { sha256 } from '../../formats/sha256.js';
import { overlayName, type PxeSources } from '../../media/pxe-sources.js';
import { checkPxe, pxeFiles, scriptNames, type CheckedPxe } from '../../media/single-node-pxe.js';
import type { RunReport, RunOptions } from '../../run/run.js';
import { checkConfig, liveTarget, generateLiveConfig } from './live-config.js';
import type { GlobalOptions, PxeOptions, RecipientOptions } from '../options.js';
import { report } from '../output/report.js';
import { notInNetworkBoot, wantedPayload } from '../payload/payload-for-iso.js';
import { shortSheetOf } from '../output/short-sheet.js';
import { runRequest, signerOf } from '../request.js';
import { liveConfigName } from '../../serve/site-folders.js';
import { reportMissingReceipt } from './report-missing-receipt.js';

type Options = GlobalOptions & PxeOptions & RecipientOptions;

/** Generates the Ignition configs and the files for network boot. */
export async function createSingleNodePxe(options: Options): Promise<void> {
  const prepared = await prepare(options);
  const made = prepared.ok ? await makePxe(options, prepared.value) : prepared;
  const problems = [...(prepared.ok ? prepared.warnings : []), ...problemsOf(made)];
  if (made.ok && problems.some(isError)) {
    reportMissingReceipt(options, problems);
    return;
  }
  const unignored = made.ok
    ? unignoredSecrets(options.dir, { media: [join(made.value.folder, overlayName)] })
    : [];
  report(options, {
    problems: [...problems, ...unignored],
    ...(made.ok && { text: summary(made.value), json: jsonOf(made.value) }),
  });
}

interface Prepared {
  readonly request: RunOptions;
  readonly pxe: CheckedPxe;
  /** Kernel arguments of the live system. */
  readonly kernelArguments: readonly string[];
  /** Paths of the output folder and of its receipt. */
  readonly folder: string;
  readonly receipt: string;
}

/** Checks URLs, arguments and configs before any key is generated. */
async function prepare(options: Options): Promise<Result<Prepared>> {
  const words = parseKernelArguments(options);
  const folder = options.out ?? join(options.dir, 'pxe');
  const receipt = mediaReceiptPath(folder);
  const signer = await signerOf(options);
  const request = runRequest(liveTarget, options, {
    kernelArguments: words.ok ? words.value.installed : [],
    ...(signer.ok && signer.value),
  });
  const checked = await checkConfig(options, request);
  const payload = await wantedPayload(request);
  const named = payload.ok ? payload.value : undefined;
  const kernelArguments = words.ok ? words.value.live : [];
  const pxe = checkPxe({
    given: options,
    kernelArguments,
    force: options.force === true,
    hasPayload: named !== undefined,
    ...(checked.ok && checked.value.liveImage),
  });
  return signer.ok && receipt.ok && words.ok && checked.ok && pxe.ok
    ? success({ request, pxe: pxe.value, kernelArguments, folder, receipt: receipt.value }, [
        ...pxe.warnings,
        ...(named === undefined || options.payload === false ? [] : [notInNetworkBoot(named.path)]),
      ])
    : failure(...[receipt, words, signer, pxe, checked].flatMap(problemsOf));
}

interface MadePxe {
  readonly folder: string;
  readonly files: readonly OutputFile[];
  readonly sources: PxeSources;
  readonly ignition: RunReport;
  /** Lines of the short sheet of the site. */
  readonly sheet: readonly string[];
  readonly receipt: string;
}

async function makePxe(options: Options, prepared: Prepared): Promise<Result<MadePxe>> {
  const { request, pxe, folder, receipt } = prepared;
  const made = await generateLiveConfig(options, request);
  if (!made.ok) return made;
  const { bytes: config, report: ignition } = made.value;
  const files = await pxeFiles(pxe, config);
  const written = await writePxe(folder, files, config);
  if (!written.ok) return failure(...made.warnings, ...written.problems);
  const { sources } = pxe;
  const receipted = writeMediumReceipt(receipt, {
    target: 'single-node-pxe',
    dir: options.dir,
    config: { path: liveConfigName, bytes: config },
    files: files.map((file) => mediumFile(folder, file)),
    urls: mapRecord(sources, ({ href }) => href),
    kernelArguments: prepared.kernelArguments,
    ...(request.signer && { signer: request.signer }),
  });
  // Problems of the receipt do not fail the result, because the files are already written; they are in `warnings`.
  const sheet = shortSheetOf(config);
  return success({ folder, files, sources, ignition, sheet, receipt }, [
    ...made.warnings,
    ...problemsOf(receipted),
  ]);
}

function mediumFile(folder: string, { path, contents, mode }: OutputFile): MediumFile {
  const bytes = Buffer.from(contents);
  return { path: join(folder, path), bytes: bytes.length, mode, sha256: sha256(bytes) };
}

function summary({ folder, files, sources, sheet, receipt }: MadePxe): string {
  const hasGrub = files.some(({ path }) => path === scriptNames[1]);
  return [
    `Wrote ${files.map(({ path }) => join(folder, path)).join(', ')}.`,
    `Receipt: ${receipt}`,
    ...(hasGrub ? [] : ['No GRUB entry was written, because GRUB cannot load files over HTTPS.']),
    '',
    ...sheet,
    `Next: serve ${overlayName} as ${sources.overlay.href}. It contains the keys of the`,
    'cluster, readable for anyone who can reach the URL. Then boot the machine once. It installs to disk and reboots.',
    'The live system is loaded from:',
    ...[sources.kernel, sources.initrd, sources.rootfs].map(({ href }) => `  ${href}`),
    '',
  ].join('\n');
}

function jsonOf({ folder, files, sources, ignition, receipt }: MadePxe): Readonly<Record<string, unknown>> {
  const { bootableUntil } = ignition;
  const { kernel, initrd, rootfs, overlay } = sources;
  return {
    files: files.map(({ path }) => join(folder, path)),
    receipt,
    urls: { kernel: kernel.href, initrd: initrd.href, rootfs: rootfs.href, overlay: overlay.href },
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
