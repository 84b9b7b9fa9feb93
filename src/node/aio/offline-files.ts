import { mirrorFault, pathInMirror } from '../../config/mirror-url.js';
import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import type { Inputs } from '../../graph/context.js';

/** The source of published files. */
export interface OfflineSource {
  /** URL of a mirror; undefined for the projects' own URLs. */
  readonly base?: string;
  /** A local copy of the mirror, whose files are compared with the known hashes. */
  readonly folder?: string;
  readonly problems: readonly Problem[];
}

/**
 * The mirror from `--offline-files`, else from `aio.mirror`. If `--offline-files` is a folder, it is a copy of the mirror
 * at `aio.mirror`. Problems: aio/offline-files.
 */
export function offlineSourceOf(
  mirror: string | undefined,
  offlineFiles: string | undefined,
  at: Place | undefined,
): OfflineSource {
  const isUrl = offlineFiles !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(offlineFiles);
  if (offlineFiles === undefined || isUrl) {
    const base = offlineFiles ?? mirror;
    return { ...(base !== undefined && { base }), problems: isUrl ? urlProblems(offlineFiles) : [] };
  }
  if (mirror !== undefined) return { base: mirror, folder: offlineFiles, problems: [] };
  const message =
    '--offline-files is a folder on this machine, but aio.mirror with its URL for the node is not set';
  const hint = 'serve the folder over https, and set aio.mirror in sno-config.yaml to its URL';
  return { folder: offlineFiles, problems: [problem('aio/offline-files', message, { at, hint })] };
}

/** One problem for each file that is missing from the copy of the mirror or has another hash. */
export function folderProblems(
  folder: string,
  files: readonly FetchedFile[],
  inputs: Inputs,
): readonly Problem[] {
  return files.flatMap(({ url, hash }) => {
    const place = pathInMirror(url);
    const found = inputs.digest(`${folder}/${place}`);
    switch (found.kind) {
      case 'absent': {
        const hint = `fetch it with \`wget --force-directories --directory-prefix=DIR ${url}\``;
        return [
          problem('aio/offline-files', `${place} is missing in the folder of --offline-files`, { hint }),
        ];
      }
      case 'unreadable':
        return [
          problem(
            'aio/offline-files',
            `${place} in the folder of --offline-files cannot be read: ${found.reason}`,
          ),
        ];
      case 'file':
        return found.sha256 === hash.hex ? [] : [differs(place, url)];
    }
  });
}

function differs(place: string, url: string): Problem {
  const message = `${place} in the folder of --offline-files does not match its SHA-256, so the node would reject it`;
  return problem('aio/offline-files', message, { hint: `fetch it again from ${url}` });
}

function urlProblems(url: string): readonly Problem[] {
  const fault = mirrorFault(url);
  if (fault === undefined) return [];
  const hint = 'use --offline-files https://… or --offline-files FOLDER';
  return [problem('aio/offline-files', `--offline-files ${quoted(url)} ${fault}`, { hint })];
}
