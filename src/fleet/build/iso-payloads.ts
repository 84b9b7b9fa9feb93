import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { openPayload } from '../../disk/payload/open-payload.js';
import type { SharedState } from '../threads/once-in-threads.js';
import { sitesOf, type NamedPayload } from './site-payloads.js';

/** A payload for the ISOs of the sites that name it. */
export interface IsoPayload {
  readonly file: string;
  readonly bytes: number;
  /** Exact text of its manifest. */
  readonly text: string;
  /**
   * Path of the live ISO with the payload, which ISOs are copied from where copies share blocks. The first thread that needs the file
   * writes it.
   */
  readonly base?: { readonly path: string; readonly state: SharedState };
}

/** By the place that the sites name (`NamedPayload.path`); payloads that are not on this machine are absent. */
export type IsoPayloads = ReadonlyMap<string, IsoPayload>;

/**
 * Opens the payloads of sites, at the places that they name or as one other file. Problems: payload/other, those of `openPayload`.
 */
export function isoPayloads(named: readonly NamedPayload[], given?: string): Result<IsoPayloads> {
  if (given !== undefined && named.length === 0) {
    const hint = 'set payload.file in sno-config.yaml, or remove --payload';
    return failure(problem('payload/other', 'the selected sites name no payload', { hint }));
  }
  const found = new Map<string, IsoPayload>();
  const problems: Problem[] = [];
  for (const place of new Set(named.map(({ path }) => path))) {
    const file = given ?? place;
    if (given === undefined && fileSize(file) === undefined) continue;
    const sites = named.filter(({ path }) => path === place);
    const read = readFor(sites, { file, isGiven: given !== undefined });
    const [known] = [...found.values()].filter((each) => each.file === file);
    if (read.ok) found.set(place, known ?? read.value);
    else problems.push(...read.problems);
  }
  return problems.length === 0 ? success(found) : failure(...new Set(problems));
}

function readFor(
  sites: readonly NamedPayload[],
  { file, isGiven }: { readonly file: string; readonly isGiven: boolean },
): Result<IsoPayload> {
  const opened = openPayload(isGiven ? '--payload' : 'payload.file', file);
  if (!opened.ok) return failure(...problemsOf(opened));
  const { text, image, close } = opened.value;
  close();
  const others = sites.filter((each) => each.text !== undefined && each.text !== text);
  if (others.length === 0) return success({ file, bytes: image.bytes, text });
  const message = `${file} is not the payload whose manifest ${sitesOf(others)} ${others.length === 1 ? 'has' : 'have'}`;
  const hint = isGiven
    ? 'name the payload of these sites, or select other sites with --only'
    : 'copy the payload and its manifest (NAME.payload.json) from the same folder';
  return failure(problem('payload/other', message, { hint }));
}
