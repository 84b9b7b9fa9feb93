import { relative, resolve } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { filesBelow, type OddEntry } from '../../disk/files-below.js';
import { isSealedName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { maxFileBytes } from '../../disk/regular-file.js';
import { validationTime } from '../../run/effects/clock.js';
import { parseDuration } from '../../formats/duration.js';
import {
  listCertificates,
  type CertificateList,
  type SearchedFile,
} from '../../review/certificates/certificate-list.js';
import { expiringCertificates } from '../../review/certificates/remaining-time.js';
import type { CertsOptions, GlobalOptions } from '../options.js';
import { report, reportResult } from '../output/report.js';
import { usageError } from '../usage-error.js';
import { stateAccess } from '../request.js';
import { readConfigSource } from '../../run/sources/config-source.js';
import { withFilePaths } from '../../formats/working-directory.js';
import { certsData, certsText } from '../output/certs-text.js';

/**
 * Lists the certificates in the given paths, or in the directory. With --warn-before, expired and soon expiring certificates are
 * problems; the list is still printed.
 */
export async function certs(named: readonly string[], options: GlobalOptions & CertsOptions): Promise<void> {
  const { warnBefore, dir } = options;
  const withinSeconds = warnBefore === undefined ? undefined : parseDuration(warnBefore);
  if (warnBefore !== undefined && withinSeconds === undefined) {
    usageError(
      options,
      '--warn-before is not a duration',
      'use whole numbers with units, such as 14d or 36h',
    );
    return;
  }
  const now = validationTime(process.env, new Date());
  const found = await searched(named.length > 0 ? named : [dir], stateAccess(options));
  if (!now.ok || !found.ok) {
    report(options, { problems: [...problemsOf(now), ...problemsOf(found)] });
    return;
  }
  const { list, problems } = found.value;
  const expiring =
    withinSeconds === undefined ? [] : expiringCertificates(list, now.value, withinSeconds * 1000);
  reportResult(options, {
    problems: [...expiring, ...problems].map((each) => withFilePaths(each, (file) => relative(dir, file))),
    text: certsText(list, now.value),
    json: { certificates: certsData(list, now.value) },
  });
}

interface Searched {
  readonly list: CertificateList;
  readonly problems: readonly Problem[];
}

async function searched(paths: readonly string[], access: StateAccess): Promise<Result<Searched>> {
  const read: Result<readonly SearchedFile[]>[] = [];
  for (const path of paths) read.push(await filesOf(path, access));
  const files = read.flatMap((each) => (each.ok ? each.value : []));
  if (!read.every(({ ok }) => ok)) return failure(...read.flatMap(problemsOf));
  const list = listCertificates(files);
  const found = new Set(list.certificates.flatMap(({ places }) => places.map(({ file }) => file)));
  const without = read.flatMap((each, index) =>
    each.ok && !each.value.some(({ path }) => found.has(path)) ? [noneIn(paths[index] ?? '')] : [],
  );
  return success({ list, problems: [...read.flatMap(problemsOf), ...without, ...list.warnings] });
}

function noneIn(path: string): Problem {
  return problem('certs/none', `no certificates in ${path}`, {
    hint: 'name an output directory, an Ignition config, a live ISO, a kubeconfig or a PEM file',
  });
}

/**
 * Reads the files at a path. In a folder, skips binary files that cannot contain certificates: images, archives and files that
 * are too large.
 */
async function filesOf(path: string, access: StateAccess): Promise<Result<readonly SearchedFile[]>> {
  const named = filesBelow(path);
  if (!named.ok) return named;
  const { isFolder, paths, odd } = named.value;
  const files: SearchedFile[] = [];
  for (const each of paths) {
    // In a folder, decrypt only outputs; other encrypted files belong to the user.
    const holder = await readConfigSource(each, access, { opens: !isFolder || isSealedName(each) });
    if (holder.ok) files.push({ path: each, bytes: holder.value.bytes ?? Buffer.alloc(0) });
    else if (!isFolder || mayHoldCertificates(each, holder.problems)) return holder;
  }
  return success(files, odd.map(notSearched));
}

function notSearched({ path, reason }: OddEntry): Problem {
  return problem('certs/not-searched', `${path} was not searched: ${reason}`, {
    at: { file: resolve(path) },
    hint: 'restore the file, or remove it',
  });
}

function mayHoldCertificates(path: string, problems: readonly Problem[]): boolean {
  const isMedium = problems.some(({ code }) => code.startsWith('media/'));
  const isClosed = problems.some(({ code }) => code.startsWith('state/'));
  return isClosed || (!isMedium && (fileSize(path) ?? 0) <= maxFileBytes);
}
