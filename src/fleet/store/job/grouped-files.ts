import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { sha256 } from '../../../formats/sha256.js';
import type { FleetFile } from './fleet-files.js';

/** A ConfigMap or a Secret with files, and where they belong. */
export interface FileGroup {
  readonly name: string;
  readonly files: readonly FleetFile[];
}

/** Where the files of a fleet are for its pods. */
export interface GroupedFiles {
  /** ConfigMaps, named by what is in them: another fleet has others. */
  readonly maps: readonly FileGroup[];
  /** Secrets, numbered from the second one on: who makes them knows their names before. */
  readonly secrets: readonly FileGroup[];
}

/** 1 MiB of values, of which names take a part. Source: kubernetes.io/docs/concepts/configuration/configmap and secret */
const limitBytes = 1024 * 1024 - 16 * 1024;

/** Of JSON, around the key and the path of a file in the Job. What etcd takes is 1.5 MiB (etcd.io/docs/v3.5/dev-guide/limit). */
const itemBytes = 20;

/**
 * Files in as few ConfigMaps and Secrets as their order allows: those that hold, or may hold, a secret are in the latter alone.
 * Problems: job/too-large.
 */
export function groupedFiles(name: string, files: readonly FleetFile[]): Result<GroupedFiles> {
  const large = files.filter((file) => weight(file) > limitBytes);
  const named = files.reduce((sum, { key, path }) => sum + key.length + path.length + itemBytes, 0);
  const faults = [...large.map(tooLarge), ...(named > limitBytes ? [tooMany(files.length)] : [])];
  if (faults.length > 0) return failure(...faults);
  const maps = groupsOf(files.filter(({ isSecret }) => !isSecret));
  const secrets = groupsOf(files.filter(({ isSecret }) => isSecret));
  return success({
    maps: maps.map((each) => ({ name: `${name}-files-${digestOf(each)}`, files: each })),
    secrets: secrets.map((each, index) => ({
      name: index === 0 ? `${name}-files` : `${name}-files-${index + 1}`,
      files: each,
    })),
  });
}

function groupsOf(files: readonly FleetFile[]): readonly (readonly FleetFile[])[] {
  const groups: FleetFile[][] = [];
  let room = 0;
  for (const file of files) {
    if (weight(file) > room) {
      groups.push([]);
      room = limitBytes;
    }
    groups.at(-1)?.push(file);
    room -= weight(file);
  }
  return groups;
}

/** The limit is that of bytes as they are, not in base64. A name stands in the fields that are managed as well. */
function weight({ key, bytes }: FleetFile): number {
  return 2 * key.length + bytes.length;
}

function digestOf(files: readonly FleetFile[]): string {
  const told = files.map(({ key, path, bytes }) => [key, path, sha256(bytes)]);
  return sha256(JSON.stringify(told)).slice(0, 10);
}

function tooLarge({ path, bytes }: FleetFile): Problem {
  const message = `the file has ${bytes.length} bytes, and a ConfigMap or a Secret holds ${limitBytes}`;
  return problem('job/too-large', message, { at: { file: path }, hint: splitIt });
}

function tooMany(files: number): Problem {
  const message = `the fleet has ${files} files: a Job that names them all is larger than the API takes`;
  return problem('job/too-large', message, { hint: splitIt });
}

const splitIt = 'split the fleet into several, each with a Job of its own; the base may be the same';
