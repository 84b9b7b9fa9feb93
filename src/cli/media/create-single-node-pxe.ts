import { join } from 'node:path';

import { kernelWordsOf } from '../../bootable/kernel-words.js';
import { writePxe } from '../../bootable/write-pxe.js';
import type { OutputFile } from '../../core/output-file.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { overlayName, type PxeSources } from '../../media/pxe-sources.js';
import { openPxe, pxeFiles, scriptNames, type OpenPxe } from '../../media/single-node-pxe.js';
import { check, type RunReport, type RunRequest } from '../../run.js';
import { liveTarget, makeConfig } from './made-config.js';
import type { GlobalOptions, PxeOptions, RecipientOptions } from '../../command-line/options.js';
import { report } from '../../command-line/output/report.js';
import { requestOf, signerOf } from '../../command-line/request.js';

type Options = GlobalOptions & PxeOptions & RecipientOptions;

/** Makes the Ignition configs, and what a machine boots from over the network with them. */
export async function createSingleNodePxe(options: Options): Promise<void> {
  const prepared = await prepare(options);
  const made = prepared.ok ? await makePxe(options, prepared.value) : prepared;
  report(options, {
    problems: [...(prepared.ok ? prepared.warnings : []), ...problemsOf(made)],
    ...(made.ok && { text: summary(made.value), json: jsonOf(made.value) }),
  });
}

interface Prepared {
  readonly request: RunRequest;
  readonly pxe: OpenPxe;
}

/** Finds everything that is wrong with URLs, arguments and configs before a key is drawn. */
async function prepare(options: Options): Promise<Result<Prepared>> {
  const words = kernelWordsOf(options);
  const signer = await signerOf(options);
  const request = requestOf(liveTarget, options, {
    kernelArguments: words.ok ? words.value.installed : [],
    ...(signer.ok && signer.value),
  });
  const checked = await check(request);
  const pxe = openPxe({
    given: options,
    kernelArguments: words.ok ? words.value.live : [],
    ...(checked.ok && checked.value.liveImage),
  });
  return signer.ok && words.ok && checked.ok && pxe.ok
    ? success({ request, pxe: pxe.value }, pxe.warnings)
    : failure(...[words, signer, pxe, checked].flatMap(problemsOf));
}

interface MadePxe {
  readonly folder: string;
  readonly files: readonly OutputFile[];
  readonly sources: PxeSources;
  readonly ignition: RunReport;
}

async function makePxe(options: Options, { request, pxe }: Prepared): Promise<Result<MadePxe>> {
  const made = await makeConfig(options, request);
  if (!made.ok) return made;
  const folder = options.out ?? join(options.dir, 'pxe');
  const files = await pxeFiles(pxe, made.value.bytes);
  const written = await writePxe(folder, files, made.value.bytes);
  return written.ok
    ? success({ folder, files, sources: pxe.sources, ignition: made.value.report }, made.warnings)
    : failure(...made.warnings, ...written.problems);
}

function summary({ folder, files, sources, ignition }: MadePxe): string {
  const until = ignition.bootableUntil;
  const hasGrub = files.some(({ path }) => path === scriptNames[1]);
  return [
    `Wrote ${files.map(({ path }) => join(folder, path)).join(', ')}.`,
    ...(hasGrub ? [] : ['There is no entry for GRUB: it loads nothing over https.']),
    ...(until === undefined ? [] : [`Boot it before ${rfc3339(until)}: certificates end then.`]),
    '',
    `Next: put ${overlayName} where machines find it as ${sources.overlay.href}. It holds the keys of`,
    'the cluster, and whoever reaches that URL can read them. Then boot the machine, once: it installs itself and reboots.',
    'The live system is loaded from',
    ...[sources.kernel, sources.initrd, sources.rootfs].map(({ href }) => `  ${href}`),
    '',
  ].join('\n');
}

function jsonOf({ folder, files, sources, ignition }: MadePxe): Readonly<Record<string, unknown>> {
  const { bootableUntil } = ignition;
  const { kernel, initrd, rootfs, overlay } = sources;
  return {
    files: files.map(({ path }) => join(folder, path)),
    urls: { kernel: kernel.href, initrd: initrd.href, rootfs: rootfs.href, overlay: overlay.href },
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
