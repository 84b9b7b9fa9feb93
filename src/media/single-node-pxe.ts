import { kernelArgumentFault } from '../config/rules/sno/kernel-argument.js';
import { publicFile, secretFile, type OutputFile } from '../core/output-file.js';
import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, problemsOf, resultOf, type Result } from '../core/result.js';
import { packInitrd, readInitrd } from './initrd.js';
import { configName, liveFiles } from './live-files.js';
import { expectedImage, imageMismatches, type ExpectedImage } from './image-mismatches.js';
import { initramfsNetworkFiles } from './initramfs-network-files.js';
import { grubEntry, ipxeScript, type ScriptOptions } from './pxe-scripts.js';
import {
  buildIn,
  sourceFacts,
  overlayName,
  pxeSources,
  type PxeSourceOptions,
  type PxeSources,
} from './pxe-sources.js';

/** Options for a network boot. */
export interface PxeOptions extends ExpectedImage {
  readonly given: PxeSourceOptions;
  /** Words to append to the kernel arguments. */
  readonly kernelArguments: readonly string[];
  /** Whether an image of another release is accepted. */
  readonly force: boolean;
  /** Whether the site installs from a payload. */
  readonly hasPayload: boolean;
}

/** Checked settings of a network boot, ready for a config. */
export interface CheckedPxe {
  readonly sources: PxeSources;
  readonly scripts: readonly OutputFile[];
}

/**
 * Checks the settings of a network boot before a config is generated. Downloads nothing. Problems: media/pxe-source,
 * media/architecture, media/release, media/kernel-arguments.
 */
export function checkPxe({
  given,
  kernelArguments,
  force,
  hasPayload,
  ...wanted
}: PxeOptions): Result<CheckedPxe> {
  const sources = pxeSources(given, wanted.release);
  const wrong = kernelArguments.flatMap(argumentProblems);
  if (!sources.ok) return failure(...wrong, ...problemsOf(sources));
  const found = [
    ...wrong,
    ...machineProblems(wanted),
    ...sourceMismatches(sources.value, expectedImage(wanted, force)),
    ...(force ? [] : differentBuilds(sources.value)),
  ];
  return resultOf(
    { sources: sources.value, scripts: scriptsFor(sources.value, { added: kernelArguments, hasPayload }) },
    found,
  );
}

/** iPXE expands `${}`. Source: ipxe.org/scripting */
function argumentProblems(argument: string): readonly Problem[] {
  const message = argument.includes('${')
    ? 'a kernel argument contains ${'
    : kernelArgumentFault(argument)?.message;
  const hint = 'repeat --live-karg for each argument';
  return message === undefined
    ? []
    : [problem('media/kernel-arguments', `--live-karg: ${message}`, { hint })];
}

const systemFiles = {
  rootfs: 'the root file system at --rootfs',
  kernel: 'the kernel at --kernel',
  initrd: 'the initramfs at --initrd',
} as const;

/** Reports each difference once: by default the kernel and initramfs are named after the root file system. */
function sourceMismatches(sources: PxeSources, expected: ExpectedImage): readonly Problem[] {
  const { rootfs, kernel, initrd } = sources;
  const own = imageMismatches(sourceFacts(rootfs), expected);
  if (own.length > 0) return own;
  return [
    ...imageMismatches(sourceFacts(kernel), expected, systemFiles.kernel),
    ...imageMismatches(sourceFacts(initrd), expected, systemFiles.initrd),
  ];
}

/** The initramfs contains the checksum of its root file system, and the kernel modules are in both. */
function differentBuilds(sources: PxeSources): readonly Problem[] {
  const named = (['rootfs', 'kernel', 'initrd'] as const).flatMap((file) => {
    const build = buildIn(sources[file]);
    return build === undefined ? [] : [{ file, build }];
  });
  const [first, ...others] = named;
  if (first === undefined) return [];
  return others
    .filter(({ build }) => build !== first.build)
    .slice(0, 1)
    .map(({ file, build }) =>
      problem(
        'media/release',
        `${systemFiles[file]} is of ${quoted(build)}, but ${systemFiles[first.file]} is of ${quoted(first.build)}`,
        { hint: 'use the kernel, initramfs and root file system of one build, or accept them with --force' },
      ),
    );
}

function machineProblems({ architecture }: ExpectedImage): readonly Problem[] {
  if (architecture !== 's390x') return [];
  const hint = 'use `create iso`, or configure the overlay in the boot loader manually';
  return [problem('media/architecture', 's390x machines do not boot with iPXE or GRUB', { hint })];
}

/** The boot scripts; the GRUB config is not written for https URLs. */
export const scriptNames = ['single-node.ipxe', 'single-node-grub.cfg'] as const;

function scriptsFor(sources: PxeSources, options: ScriptOptions): readonly OutputFile[] {
  const [ipxeName, grubName] = scriptNames;
  const grub = grubEntry(sources, options);
  return [
    publicFile(ipxeName, ipxeScript(sources, options)),
    ...(grub === undefined ? [] : [publicFile(grubName, grub)]),
  ];
}

/** The files of a network boot in addition to the live system: initrd overlay and boot scripts. */
export async function pxeFiles({ scripts }: CheckedPxe, config: Uint8Array): Promise<readonly OutputFile[]> {
  const files = liveFiles(config, initramfsNetworkFiles(config));
  return [secretFile(overlayName, await packInitrd(files)), ...scripts];
}

/** Reads the config of an overlay as Ignition would; undefined if it has none. Problems: media/damaged, media/unknown-packing. */
export async function readOverlayConfig(overlay: Buffer): Promise<Buffer | undefined> {
  const files = await readInitrd(overlay);
  return files.ok ? files.value.get(configName)?.contents : undefined;
}
