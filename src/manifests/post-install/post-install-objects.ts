import { byCodeUnit } from '../../core/compare.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { readObjects } from '../edits/documents.js';
import { filesInPostInstall, type UserFile } from '../edits/find-files.js';
import { baseNameOf } from '../edits/paths.js';
import { isRemovalFile, readRemovals } from './removals.js';

/** `last` is the wave of files without a number; it follows all numbered waves. */
export type Wave = number | 'last';

/** An object that is applied after the installation. */
export interface PostInstallObject extends SourcedObject {
  readonly wave: Wave;
  /** The user's file, such as `post-install/10-ptp.yaml`. */
  readonly path: string;
  /** Number of the object in its file, from 1. */
  readonly document: number;
}

export interface PostInstallReading {
  readonly objects: readonly PostInstallObject[];
  /** The objects that remove.yaml lists, which must not exist. */
  readonly removals: readonly SourcedObject[];
  readonly problems: readonly Problem[];
}

/**
 * Reads all valid files of post-install/. The objects are checked only for their form; the asset `post-install/objects` has the other
 * checks. Problems: those of `filesInPostInstall`, `readObjects` and `readRemovals`.
 */
export function postInstallIn(inputs: Inputs): PostInstallReading {
  const { files, problems } = filesInPostInstall(inputs);
  const read = postInstallObjects(files.filter((file) => !isRemovalFile(file)));
  const listed = readRemovals(files.filter(isRemovalFile));
  return {
    objects: read.objects,
    removals: listed.removals,
    problems: [...problems, ...read.problems, ...listed.problems],
  };
}

/** The objects in the order in which they are applied: by wave, file name and document. Problems: those of `readObjects`. */
export function postInstallObjects(
  files: readonly Pick<UserFile, 'file' | 'bytes'>[],
): Omit<PostInstallReading, 'removals'> {
  const inOrder = files.toSorted(
    (left, right) => byWave(waveOf(left.file), waveOf(right.file)) || byCodeUnit(left.file, right.file),
  );
  const read = inOrder.map(({ file, bytes }) => ({ file, result: readObjects(file, bytes) }));
  return {
    objects: read.flatMap(({ file, result }) =>
      (result.ok ? result.value : []).map(({ object, source }, index) => ({
        wave: waveOf(file),
        path: file,
        document: index + 1,
        object,
        source,
      })),
    ),
    problems: read.flatMap(({ result }) => problemsOf(result)),
  };
}

/** The number that a file name begins with, before `-`, `_` or `.`. */
export function waveOf(file: string): Wave {
  const [, number] = /^(\d{1,15})[-_.]/.exec(baseNameOf(file)) ?? [];
  return number === undefined ? 'last' : Number(number);
}

export function byWave(left: Wave, right: Wave): number {
  if (left === right) return 0;
  if (left === 'last') return 1;
  return right === 'last' ? -1 : left - right;
}

/** The source of an object in messages: its file and number, such as `post-install/10-ptp.yaml#2`. */
export function sourceOf({ path, document }: Pick<PostInstallObject, 'path' | 'document'>): string {
  return `${path}#${document}`;
}
