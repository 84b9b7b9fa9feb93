import { join } from 'node:path';

import { kernelWordsOf } from '../../run/media/kernel-words.js';
import { receiptMedium, type MediumFile } from '../../run/media/receipted-medium.js';
import { writePxe } from '../../run/media/write-pxe.js';
import { mapRecord } from '../../core/map-record.js';
import type { OutputFile } from '../../core/output-file.js';
import { isError } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { placeOfMediaReceipt } from '../../disk/receipt/media-receipt-place.js';
import { sha256 } from '../../formats/sha256.js';
import { overlayName, type PxeSources } from '../../media/pxe-sources.js';
import { openPxe, pxeFiles, scriptNames, type OpenPxe } from '../../media/single-node-pxe.js';
import type { RunReport, RunRequest } from '../../run/run.js';
import { checkConfig, ignitionFile, liveTarget, makeConfig } from './made-config.js';
import type { GlobalOptions, PxeOptions, RecipientOptions } from '../options.js';
import { report } from '../output/report.js';
import { requestOf, signerOf } from '../request.js';
import { tellUnreceipted } from './unreceipted.js';

type Options = GlobalOptions & PxeOptions & RecipientOptions;

/** Generates the Ignition configs and the files for network boot. */
export async function createSingleNodePxe(options: Options): Promise<void> {
  const prepared = await prepare(options);
  const made = prepared.ok ? await makePxe(options, prepared.value) : prepared;
  const problems = [...(prepared.ok ? prepared.warnings : []), ...problemsOf(made)];
  if (made.ok && problems.some(isError)) {
    tellUnreceipted(options, problems);
    return;
  }
  report(options, {
    problems,
    ...(made.ok && { text: summary(made.value), json: jsonOf(made.value) }),
  });
}

interface Prepared {
  readonly request: RunRequest;
  readonly pxe: OpenPxe;
  /** Kernel arguments of the live system. */
  readonly kernelArguments: readonly string[];
  /** Paths of the output folder and of its receipt. */
  readonly folder: string;
  readonly receipt: string;
}

/** Checks URLs, arguments and configs before any key is generated. */
async function prepare(options: Options): Promise<Result<Prepared>> {
  const words = kernelWordsOf(options);
  const folder = options.out ?? join(options.dir, 'pxe');
  const receipt = placeOfMediaReceipt(folder);
  const signer = await signerOf(options);
  const request = requestOf(liveTarget, options, {
    kernelArguments: words.ok ? words.value.installed : [],
    ...(signer.ok && signer.value),
  });
  const checked = await checkConfig(request);
  const kernelArguments = words.ok ? words.value.live : [];
  const pxe = openPxe({
    given: options,
    kernelArguments,
    ...(checked.ok && checked.value.liveImage),
  });
  return signer.ok && receipt.ok && words.ok && checked.ok && pxe.ok
    ? success({ request, pxe: pxe.value, kernelArguments, folder, receipt: receipt.value }, pxe.warnings)
    : failure(...[receipt, words, signer, pxe, checked].flatMap(problemsOf));
}

interface MadePxe {
  readonly folder: string;
  readonly files: readonly OutputFile[];
  readonly sources: PxeSources;
  readonly ignition: RunReport;
  readonly receipt: string;
}

async function makePxe(options: Options, prepared: Prepared): Promise<Result<MadePxe>> {
  const { request, pxe, folder, receipt } = prepared;
  const made = await makeConfig(options, request);
  if (!made.ok) return made;
  const { bytes: config, report: ignition } = made.value;
  const files = await pxeFiles(pxe, config);
  const written = await writePxe(folder, files, config);
  if (!written.ok) return failure(...made.warnings, ...written.problems);
  const { sources } = pxe;
  const receipted = receiptMedium(receipt, {
    target: 'single-node-pxe',
    dir: options.dir,
    config: { path: ignitionFile, bytes: config },
    files: files.map((file) => mediumFile(folder, file)),
    urls: mapRecord(sources, ({ href }) => href),
    kernelArguments: prepared.kernelArguments,
    ...(request.signer && { signer: request.signer }),
  });
  // Problems of the receipt do not fail the result, because the files are already written; they are in `warnings`.
  return success({ folder, files, sources, ignition, receipt }, [...made.warnings, ...problemsOf(receipted)]);
}

function mediumFile(folder: string, { path, contents, mode }: OutputFile): MediumFile {
  const bytes = Buffer.from(contents);
  return { path: join(folder, path), bytes: bytes.length, mode, sha256: sha256(bytes) };
}

function summary({ folder, files, sources, ignition, receipt }: MadePxe): string {
  const until = ignition.bootableUntil;
  const hasGrub = files.some(({ path }) => path === scriptNames[1]);
  return [
    `Wrote ${files.map(({ path }) => join(folder, path)).join(', ')}.`,
    `What they were made of is in ${receipt}.`,
    ...(hasGrub ? [] : ['There is no entry for GRUB: it loads nothing over https.']),
    ...(until === undefined ? [] : [`Boot it before ${rfc3339(until)}: certificates expire then.`]),
    '',
    `Next: put ${overlayName} where machines find it as ${sources.overlay.href}. It holds the keys of`,
    'the cluster, and whoever reaches that URL can read them. Then boot the machine, once: it installs itself and reboots.',
    'The live system is loaded from',
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
