import type { WholePayloadManifest } from '../config/schema/payload-schema.js';
import { problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { readBlockDevice, type BlockDevice, type SystemView } from '../disk/block-device/block-device.js';
import { usesOf } from '../disk/block-device/device-uses.js';
import { isSameFile } from '../disk/image/image-file.js';
import { spaceFault } from '../disk/free-space.js';
import { unreadableFile } from '../disk/named-file.js';
import { openPayload, type OpenPayload } from '../disk/payload/open-payload.js';
import { payloadDraft } from '../disk/payload/payload-draft.js';
import { findTarget, payloadPartition, refused, type PayloadTarget } from '../disk/payload/payload-target.js';
import { reasonOf, systemErrorCode } from '../disk/system-error.js';
import type { ByteRange } from '../formats/disk-image.js';
import { leastDiskBytes, onlyPartition, singlePartitionTable } from '../formats/gpt.js';
import { shellWord } from '../formats/shell-word.js';
import { damaged } from '../media/payload/payload-file.js';
import { faultOfProgram } from '../run/effects/run-program.js';
import { fileSystemFault } from './check-payload.js';
import { copyToTarget, SourceError, sourceOf, type Copying, type Place } from './copy-to-target.js';
import { targetProblems } from './target-problems.js';

export interface WriteTask extends Copying {
  /** The payload. */
  readonly file: string;
  /** A disk, a partition, or a file for a disk image. */
  readonly target: string;
  readonly force: boolean;
  readonly platform: NodeJS.Platform;
  readonly view: SystemView;
}

export interface WrittenTarget {
  readonly manifest: WholePayloadManifest;
  readonly target: PayloadTarget;
  /** Size of the payload. */
  readonly bytes: number;
  /** SHA-256 of the payload, as the target returned it. */
  readonly sha256: string;
  readonly partition: ByteRange;
  /** Whether the bytes were read from the disk, and not from the memory of this machine. */
  readonly isReadFromDisk: boolean;
}

/**
 * Checks a payload, writes it to a disk with one partition, to a partition, or to a disk image, and reads it back. The target gets its partition
 * table and the first bytes of the payload last: before, it contains no payload. Problems: payload/target, payload/in-use,
 * payload/not-removable, payload/not-written, media/output, those of `openPayload`.
 */
export async function writePayload(task: WriteTask): Promise<Result<WrittenTarget>> {
  const opened = openPayload('the file', task.file);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  try {
    const target = findTarget(task.target, task.platform, task.view);
    if (!target.ok) return target;
    const { value } = target;
    const usable =
      value.kind === 'file' ? fileProblems(value, image.bytes, task) : useProblems(value, image.bytes, task);
    if (!usable.ok) return usable;
    // The target may contain a payload, which is kept if this one is damaged.
    const whole = await checked(opened.value, task);
    if (!whole.ok) return whole;
    const free = value.kind === 'file' ? whole : await freed(value, image.bytes, task);
    if (!free.ok) return free;
    return value.kind === 'file'
      ? await writeImage(value, opened.value, task)
      : await writeDevice(value, opened.value, task);
  } finally {
    close();
  }
}

type FileTarget = PayloadTarget & { readonly kind: 'file' };
type DeviceTarget = Exclude<PayloadTarget, { readonly kind: 'file' }>;

/** Problems: media/output, dir/not-writable. */
function fileProblems(
  { path, exists }: FileTarget,
  payloadBytes: number,
  { file, force, target }: WriteTask,
): Result<void> {
  if (exists && isSameFile(path, file)) return refused(target, 'is the payload itself');
  if (exists && !force)
    return failure(
      problem('media/output', `${target} already exists`, {
        hint: 'use another path, or replace the file with --force',
      }),
    );
  const space = spaceFault(target, payloadBytes, { hint: 'free disk space, or name another place' });
  return space === undefined ? success(undefined) : failure(space);
}

/** Problems: payload/target, payload/in-use, payload/not-removable. */
function useProblems({ device }: DeviceTarget, payloadBytes: number, task: WriteTask): Result<void> {
  const uses = usesOf(device, task.view);
  const problems = targetProblems({ path: task.target, device, uses }, payloadBytes, task);
  return problems.length > 0 ? failure(...problems) : success(undefined);
}

/** Reads the whole payload before anything is written. Problems: payload/damaged, payload/not-written, usage/unreadable-file. */
async function checked(
  { image, manifest: { fileSystem } }: OpenPayload,
  task: WriteTask,
): Promise<Result<void>> {
  const { file, target, stop, onProgress } = task;
  let done = 0;
  try {
    const fault = await fileSystemFault(sourceOf(image), fileSystem, {
      stop,
      onBytes: (bytes) => {
        done += bytes;
        onProgress('checking', done, fileSystem.bytes);
      },
    });
    return fault === undefined ? success(undefined) : damaged(file, fault);
  } catch (error) {
    if (error instanceof SourceError) return unreadableFile('the file', file, error.message);
    if (!stop.aborted) throw error;
    const message = `the command was interrupted before it wrote to ${target}`;
    return failure(problem('payload/not-written', message, { hint: 'run the command again' }));
  }
}

/** Unmounts file systems with `force`. The disk may be in use since the payload was checked. */
async function freed(target: DeviceTarget, payloadBytes: number, task: WriteTask): Promise<Result<void>> {
  const usable = useProblems(target, payloadBytes, task);
  if (!usable.ok) return usable;
  const uses = usesOf(target.device, task.view);
  // Without --force, a mount is a problem. The last mount lies on top.
  const mounts = uses.filter(({ kind }) => kind === 'mount');
  for (const { device: mounted, by } of mounts.toReversed()) {
    const fault = await faultOfProgram(['umount', '--', by], { limitMs: unmountMs });
    if (fault === undefined) continue;
    const message = `${task.target} is in use: ${mounted} is mounted at ${by}, and umount ${fault}`;
    const hint = `close the programs that use it: \`fuser --mount --verbose ${shellWord(by)}\``;
    return failure(problem('payload/in-use', message, { hint }));
  }
  return success(undefined);
}

/** A slow stick first gets what programs wrote to it. */
const unmountMs = 10 * 60_000;

async function writeDevice(
  target: DeviceTarget,
  payload: OpenPayload,
  task: WriteTask,
): Promise<Result<WrittenTarget>> {
  const { device, kind, path } = target;
  const isDisk = kind === 'disk';
  const partition = isDisk ? onlyPartition(device.bytes) : { offset: 0, length: device.bytes };
  const table = isDisk
    ? singlePartitionTable(device, payloadPartition, payload.manifest.fileSystem.sha256)
    : [];
  return await copied(
    { path, kind: 'device', bytes: device.bytes, partition, table },
    { target, payload, task },
  );
}

/** The image is written beside its place and gets its name when it is verified. */
async function writeImage(
  target: FileTarget,
  payload: OpenPayload,
  task: WriteTask,
): Promise<Result<WrittenTarget>> {
  const bytes = leastDiskBytes(payload.image.bytes);
  const partition = onlyPartition(bytes);
  const disk = { bytes, sectorBytes: 512 };
  const table = singlePartitionTable(disk, payloadPartition, payload.manifest.fileSystem.sha256);
  const draft = payloadDraft(target.path);
  try {
    const written = await copied(
      { path: draft.path, kind: 'file', bytes, partition, table },
      { target, payload, task },
    );
    const finished = written.ok ? draft.finish({ overwrite: task.force }) : written;
    return finished.ok ? written : finished;
  } finally {
    draft.remove();
  }
}

interface Writing {
  readonly target: PayloadTarget;
  readonly payload: OpenPayload;
  readonly task: WriteTask;
}

/** Problems: payload/damaged, payload/not-written, payload/in-use, usage/unreadable-file. */
async function copied(place: Place, { target, payload, task }: Writing): Promise<Result<WrittenTarget>> {
  const { image, manifest } = payload;
  try {
    const end = await copyToTarget(place, { image, fileSystem: manifest.fileSystem }, task);
    if (end.kind === 'damaged')
      return erased(
        damaged(task.file, 'its file system does not have the SHA-256 of its manifest'),
        target,
        task,
      );
    if (end.kind === 'other-bytes') return otherBytes(task.target);
    const { sha256, isReadFromDisk } = end;
    return success({
      manifest,
      target,
      bytes: image.bytes,
      sha256,
      partition: place.partition,
      isReadFromDisk,
    });
  } catch (error) {
    if (task.stop.aborted) return interrupted(task.target, target.kind);
    if (error instanceof SourceError)
      return erased(unreadableFile('the file', task.file, error.message), target, task);
    if (systemErrorCode(error) === undefined) throw error;
    return notWritten(error, task, target.kind === 'file' ? undefined : target.device);
  }
}

/** A fault of the payload that appeared after it was checked. */
function erased(fault: Result<never>, { kind }: PayloadTarget, { target }: WriteTask): Result<never> {
  if (kind === 'file') return fault;
  const message = `${target} was erased and contains no payload`;
  const hint = 'run the command again with a payload that `sno-install verify` accepts';
  return failure(...problemsOf(fault), problem('payload/not-written', message, { hint }));
}

function otherBytes(target: string): Result<never> {
  const hint = 'the disk is defective, or smaller than it reports: use another one';
  return failure(
    problem('payload/not-written', `${target} returns other bytes than were written to it`, { hint }),
  );
}

function interrupted(target: string, kind: PayloadTarget['kind']): Result<never> {
  const hint = `run the command again${kind === 'file' ? '' : `: the ${kind} contains no payload`}`;
  const message = `the command was interrupted before ${target} was verified`;
  return failure(problem('payload/not-written', message, { hint }));
}

function notWritten(
  error: unknown,
  { target, view }: WriteTask,
  device: BlockDevice | undefined,
): Result<never> {
  const code = systemErrorCode(error);
  const isGone = device !== undefined && readBlockDevice(device.number, view) === undefined;
  if (code === 'EBUSY') {
    const hint = `close the programs that use it: \`fuser --verbose ${shellWord(target)}\``;
    return failure(problem('payload/in-use', `${target} is in use by another program`, { hint }));
  }
  const reason = isGone ? 'it was removed' : reasonOf(error);
  const hint = isGone ? 'plug it in and run the command again' : writeHint(code, device);
  return failure(problem('payload/not-written', `cannot write ${target}: ${reason}`, { hint }));
}

function writeHint(code: string | undefined, device: BlockDevice | undefined): string {
  if (device === undefined) return 'free disk space or grant write permission, and run the command again';
  return code === 'EACCES' || code === 'EPERM'
    ? 'run the command as root, with sudo'
    : 'the disk may be defective: run the command again, or use another disk';
}
