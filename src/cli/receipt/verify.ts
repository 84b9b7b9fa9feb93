import { dirname, isAbsolute, join, relative } from 'node:path';

import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import { mayHavePayload } from '../../disk/payload/open-medium.js';
import { findReceipts } from '../../disk/receipt/find-receipts.js';
import { validationTime } from '../../run/effects/clock.js';
import { withFilePaths } from '../../formats/working-directory.js';
import type { AllowedSigners } from '../../disk/receipt/receipt-signature.js';
import { verifyReceipt, type VerifiedReceipt } from '../../disk/receipt/verify-receipts.js';
import { receiptData, receiptText } from '../../disk/receipt/verified-text.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { bootedMedium } from '../../review/sheet/booted-medium.js';
import { readSheet } from '../../review/sheet/read-sheet.js';
import { readConfigSource } from '../../run/sources/config-source.js';
import type { GlobalOptions, VerifyOptions } from '../options.js';
import { report, reportResult } from '../output/report.js';
import { verifyPayloads } from '../payload/verify-payloads.js';
import { stateAccess } from '../request.js';
import { usageError } from '../usage-error.js';

/** Checks receipts against the files next to them. Prints passed checks even if others fail. */
export async function verify(
  named: readonly string[],
  options: GlobalOptions & VerifyOptions,
): Promise<void> {
  const { dir, signer, allowedSigners } = options;
  if (signer !== undefined && allowedSigners === undefined) {
    usageError(
      options,
      '--signer requires --allowed-signers',
      'add --allowed-signers with the file of signer keys',
    );
    return;
  }
  const allowed = allowedIn(options);
  if (!allowed.ok) {
    report(options, { problems: allowed.problems });
    return;
  }
  const payloadFiles = new Set(named.filter(mayHavePayload));
  const payloads = await verifyPayloads([...payloadFiles], options);
  const receipts = named.filter((path) => !payloadFiles.has(path));
  const found = (named.length > 0 ? receipts : [dir]).map(findReceipts);
  const by = { allowed: allowed.value, access: stateAccess(options), liveIso: options.iso };
  const verified: VerifiedReceipt[] = [];
  for (const file of found.flatMap((each) => (each.ok ? each.value : []))) {
    verified.push(await verifyReceipt(file, by));
  }
  if (options.iso !== undefined && verified.length > 0 && verified.every(isWithoutLiveIso)) {
    usageError(
      options,
      '--iso is set, but no receipt is for a boot medium created from a live ISO',
      'remove --iso',
    );
    return;
  }
  const places = await Promise.all(verified.map((each) => payloadPlace(each, by.access)));
  const problems = [
    ...payloads.problems,
    ...found.flatMap(problemsOf),
    ...verified.flatMap((each) => each.problems),
  ];
  reportResult(options, {
    problems: problems.map((each) =>
      withFilePaths(each, (file) => (isAbsolute(file) ? file : relative(dir, file))),
    ),
    text: payloads.text + verified.map((each, index) => receiptText(each, places[index])).join(''),
    json: {
      receipts: verified.flatMap((each, index) => receiptData(each, places[index])),
      ...(payloads.data.length > 0 && { payloads: payloads.data }),
    },
  });
}

/** Whether an unchanged ISO contains the payload of its config, as `inspect` shows it; undefined if neither has a payload. */
async function payloadPlace(
  { file, ok, read }: VerifiedReceipt,
  access: StateAccess,
): Promise<string | undefined> {
  const [iso] = read?.receipt.medium?.liveIso === undefined ? [] : read.receipt.outputs;
  if (!ok || iso === undefined) return undefined;
  const source = await readConfigSource(join(dirname(file), iso.path), access);
  const { bytes, medium } = source.ok ? source.value : {};
  const sheet = bytes && readSheet(bytes, medium && { medium: bootedMedium(medium) });
  const rows = sheet?.flatMap((section) => section.rows) ?? [];
  return rows.find(({ name }) => name === 'payload-place')?.values[0];
}

/** False for an unreadable receipt, which may belong to a medium. */
function isWithoutLiveIso({ read }: VerifiedReceipt): boolean {
  return read !== undefined && read.receipt.medium?.liveIso === undefined;
}

function allowedIn({ allowedSigners, signer }: VerifyOptions): Result<AllowedSigners | undefined> {
  if (allowedSigners === undefined) return success(undefined);
  const [text, now] = [
    readNamedText('--allowed-signers', allowedSigners),
    validationTime(process.env, new Date()),
  ];
  if (!text.ok || !now.ok) return failure(...[text, now].flatMap(problemsOf));
  const named = { file: allowedSigners, text: text.value, at: now.value };
  return success({ ...named, ...(signer !== undefined && { signer }) });
}
