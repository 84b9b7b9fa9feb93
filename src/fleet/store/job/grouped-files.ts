import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { sha256 } from '../../../formats/sha256.js';
import type { FleetFile } from './fleet-files.js';

/** A ConfigMap or Secret with its files. */
export interface FileGroup {
  readonly name: string;
  readonly files: readonly FleetFile[];
}

/** ConfigMaps and Secrets that contain the files of a fleet. */
export interface GroupedFiles {
  /** ConfigMaps. Names contain a hash of the contents, so that fleets do not share them. */
  readonly maps: readonly FileGroup[];
  /** Secrets, numbered from the second one. Their names are predictable, since users create them. */
  readonly secrets: readonly FileGroup[];
}

/** 1 MiB, minus a reserve for names and metadata. Source: kubernetes.io/docs/concepts/configuration/configmap and secret */
const limitBytes = 1024 * 1024 - 16 * 1024;

/** JSON around the key and path of a file in the Job. The limit of etcd is 1.5 MiB (etcd.io/docs/v3.5/dev-guide/limit). */
const itemBytes = 20;

/**
 * Distributes files, in their order, over as few ConfigMaps and Secrets as possible. Files with a possible secret go into Secrets only.
 * Problems: job/too-large.
 */
export function groupFiles(name: string, files: readonly FleetFile[]): Result<GroupedFiles> {
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

/** The limit applies to raw bytes, not to base64. Each key also appears in managedFields. */
function weight({ key, bytes }: FleetFile): number {
  return 2 * key.length + bytes.length;
}

function digestOf(files: readonly FleetFile[]): string {
  const told = files.map(({ key, path, bytes }) => [key, path, sha256(bytes)]);
  return sha256(JSON.stringify(told)).slice(0, 10);
}

function tooLarge({ path, bytes }: FleetFile): Problem {
  const message = `the file has ${bytes.length} bytes; a ConfigMap or Secret holds at most ${limitBytes}`;
  return problem('job/too-large', message, { at: { file: path }, hint: splitIt });
}

function tooMany(files: number): Problem {
  const message = `the fleet has ${files} files, too many for one Job`;
  return problem('job/too-large', message, { hint: splitIt });
}

const splitIt = 'split the fleet into several fleets with one Job each; they can share the base';
