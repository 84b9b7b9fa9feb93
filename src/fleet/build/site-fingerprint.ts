import { createHmac } from 'node:crypto';

import type { RecordedRun } from '../../run/prepare-run.js';
import { byCodeUnit, byKey } from '../../core/compare.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { SiteRecord } from '../../disk/site-record/site-record.js';
import { recordOfRequests, type InputRecord } from '../../disk/state/recorded-inputs.js';
import type { Inputs } from '../../graph/context.js';
import type { SiteOptions } from './site-options.js';

/** Settings that determine the outputs of a site, in addition to its files. */
export type FingerprintInputs = Pick<SiteOptions, 'recordKey' | 'target' | 'recipients' | 'encryptOutputs'>;

/** Whether inputs contain the values of secrets, or their marks. */
export type SecretsIn = 'values' | 'marks';

/** HMAC-SHA256 (hex) of all inputs of a site: contents of its files, environment, and settings of fleet.yaml. */
export function siteFingerprint(
  site: string,
  { recordKey, target, recipients, encryptOutputs }: FingerprintInputs,
  made: { readonly inputRecord: InputRecord; readonly given: Readonly<Record<string, string>> },
): string {
  const settings = [site, target, [...recipients].sort(byCodeUnit), encryptOutputs ?? null];
  const given = Object.entries(made.given).sort(byKey);
  const text = JSON.stringify([settings, given, Object.entries(made.inputRecord)]);
  return createHmac('sha256', Buffer.from(recordKey, 'hex')).update(text).digest('hex');
}

/** Record that allows the next run to skip an unchanged site. `marked` are its inputs with marks in place of secrets. */
export function siteRecord(
  site: string,
  order: FingerprintInputs & Pick<SiteOptions, 'program'>,
  { run, marked }: { readonly run: RecordedRun; readonly marked: Inputs | undefined },
): SiteRecord {
  const { bootableFrom, bootableUntil } = run.facts;
  const ofMarks = marked && recordOfRequests(Object.keys(run.inputRecord), marked);
  return {
    site,
    program: order.program ?? '',
    questions: Object.keys(run.inputRecord),
    fingerprint: siteFingerprint(site, order, run),
    ...(ofMarks && { markedFingerprint: siteFingerprint(site, order, { ...run, inputRecord: ofMarks }) }),
    issued: rfc3339(run.issued),
    ...(bootableFrom && { bootableFrom: rfc3339(bootableFrom) }),
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
    warnings: run.warnings,
    state: run.stateSha256,
    outputs: run.outputs,
  };
}
