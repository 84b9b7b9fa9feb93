import process from 'node:process';

import { problemsOf } from '../../core/result.js';
import { systemView } from '../../disk/block-device/block-device.js';
import { writePayload, type WrittenTarget } from '../../payload/write-payload.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { sizeText } from '../output/size-text.js';
import { payloadProgress } from '../progress.js';
import { onStopSignals } from '../stop-signals.js';

export interface WritePayloadOptions {
  readonly force?: true;
}

/** Writes a payload to a disk, a partition or a disk image. */
export async function writePayloadTo(
  file: string,
  target: string,
  options: GlobalOptions & WritePayloadOptions,
): Promise<void> {
  const signals = onStopSignals();
  const progress = payloadProgress(options);
  try {
    const written = await writePayload({
      file,
      target,
      force: options.force === true,
      stop: signals.stop,
      onProgress: progress.onProgress,
      platform: process.platform,
      view: systemView,
    });
    progress.done();
    report(options, {
      problems: problemsOf(written),
      ...(written.ok && {
        text: textOf(file, target, written.value),
        json: dataOf(file, target, written.value),
      }),
    });
  } finally {
    progress.done();
    signals.release();
  }
  if (signals.exitCode() !== 0) process.exitCode = signals.exitCode();
}

function textOf(file: string, path: string, written: WrittenTarget): string {
  const { manifest, target, bytes, sha256, partition, isReadFromDisk } = written;
  const { version, architecture } = manifest.release;
  const place = target.kind === 'file' ? 'disk image' : target.device.model;
  const source = isReadFromDisk ? '' : ' (possibly from the memory of this machine)';
  return [
    `Wrote ${file} to ${path}${place === '' ? '' : ` (${place})`}: OpenShift ${version} for ${architecture}, ${sizeText(bytes)}, verified by reading it back${source}.`,
    `Partition  sno-payload, ${sizeText(partition.length)}`,
    `SHA-256    ${sha256} (the payload)`,
    '',
    nextStep(target.kind),
    '',
  ].join('\n');
}

function nextStep(kind: WrittenTarget['target']['kind']): string {
  switch (kind) {
    case 'disk':
      return 'Next: plug the disk into the machine before it boots the ISO of its site.';
    case 'partition':
      return 'Next: boot the ISO of the site on the machine with this disk.';
    case 'file':
      return 'Next: attach it to the virtual machine as a second disk, in the format raw.';
  }
}

function dataOf(file: string, path: string, written: WrittenTarget): Readonly<Record<string, unknown>> {
  const { manifest, target, bytes, sha256, partition, isReadFromDisk } = written;
  return {
    payload: file,
    target: path,
    kind: target.kind,
    release: manifest.release,
    bytes,
    sha256,
    partition: { start: partition.offset, bytes: partition.length },
    isReadFromDisk,
  };
}
