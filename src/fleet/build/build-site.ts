import { join, posix } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { stateFileName } from '../../disk/state/state-file.js';
import { templatesFrom } from '../../disk/program-files/templates.js';
import type { Templates } from '../../graph/context.js';
import type { RunSource } from '../../run/prepare-run.js';
import { receiptName } from '../../disk/receipt/receipt.js';
import { run, type RunOptions } from '../../run/run.js';
import { inspectSiteFolder } from '../../disk/site-record/site-folder.js';
import { recordFile, type SiteRecord } from '../../disk/site-record/site-record.js';
import { randomSourceOfThread } from '../../run/effects/random-source-of-thread.js';
import { randomSourceFor } from '../../run/effects/generated-values.js';
import { stateAccessWithKeys } from './access-with-keys.js';
import { siteFiles, type SiteFiles } from '../table/site-files.js';
import { hasFaults, siteProblems } from '../table/site-problems.js';
import { withMarks } from '../table/secret-marks.js';
import type { SiteRow } from '../table/site-table.js';
import { siteRecord } from './site-fingerprint.js';
import { filesOf } from './site-file-options.js';
import type { SiteOptions } from './site-options.js';

export interface SiteResult {
  readonly name: string;
  /** Whether the outputs are complete and up to date. */
  readonly isMade: boolean;
  /** Each at the place where its value was written. */
  readonly problems: readonly Problem[];
  readonly facts: SiteFacts;
  /** Whether the outputs were up to date before. */
  readonly isUnchanged?: true;
  /** Whether the site existed before; its keys are kept. */
  readonly isUpdate?: true;
  /** The ISO of the site, if it was requested. */
  readonly iso?: SiteIso;
}

export interface SiteIso {
  readonly path: string;
  /** 0 if the ISO was up to date. */
  readonly writtenBytes: number;
}

/** Reported properties of a created site. */
export interface SiteFacts {
  /** RFC 3339: latest time of the first boot. */
  readonly bootableUntil?: string;
  /** SHA-256 of the receipt, hex. */
  readonly receipt?: string;
}

/**
 * Returns a function that creates a site in its own folder as `create` does: all outputs or none. Rows include the fleet-wide variables.
 * Problems: those of `run`, each at the place where its value was written.
 */
export function siteBuilder(order: SiteOptions): (row: SiteRow) => Promise<SiteResult> {
  const build = siteRunner(order);
  return async (row) => (await build(row)).result;
}

/** A site with the plain text of the outputs that were encrypted in this run. */
interface BuiltSite {
  readonly result: SiteResult;
  readonly plain: ReadonlyMap<string, Uint8Array | string>;
}

/** Like `siteBuilder`, with the outputs in plain text for the ISO. */
export function siteRunner(order: SiteOptions): (row: SiteRow) => Promise<BuiltSite> {
  const files = filesOf(order);
  const access = stateAccessWithKeys(order.keys);
  const randomness = order.generatesKeysInThreads === true ? randomSourceOfThread : randomSourceFor;
  const templates = templatesFrom(order.templatesFolder);
  return async (row) => {
    const site = siteFiles(files, row);
    let record: SiteRecord | undefined;
    const request = siteRunRequest(order, { row, site, access, templates }, (done) => {
      const marked = withMarks(row, order)?.row;
      record = siteRecord(row.name, order, { run: done, marked: marked && siteFiles(files, marked).inputs });
      return recordFile(record);
    });
    const { hasState } = inspectSiteFolder(join(order.dir, order.outputs, row.name));
    const made = await run({ ...request, randomness });
    const found = problemsOf(made);
    const [ofOutputs, ofInputs] = [
      found.filter(isOutputProblem),
      found.filter((each) => !isOutputProblem(each)),
    ];
    const problems = [
      ...siteProblems(site, ofInputs, order.known),
      ...ofOutputs.map((each) => inOutputFolder(each, posix.join(order.outputs, row.name))),
    ];
    return {
      result: {
        name: row.name,
        isMade: made.ok,
        problems,
        facts: record === undefined ? {} : factsOf(record),
        ...(made.ok && hasState && { isUpdate: true as const }),
      },
      plain: (made.ok ? made.value.plain : undefined) ?? new Map<string, never>(),
    };
  };
}

export function factsOf({ bootableUntil, outputs }: SiteRecord): SiteFacts {
  const receipt = outputs.find(({ path }) => path === receiptName)?.sha256;
  return { ...(bootableUntil !== undefined && { bootableUntil }), ...(receipt !== undefined && { receipt }) };
}

/** A site with its input files and the access to its state. */
export interface SiteToBuild {
  readonly row: SiteRow;
  readonly site: SiteFiles;
  readonly access: StateAccess;
  readonly templates: Templates;
}

export function siteRunRequest(
  order: SiteOptions,
  { row: { name }, site, access, templates }: SiteToBuild,
  record: RunSource['record'],
): RunOptions {
  const { dir, outputs, target, command, variables, present, offlineFiles, program, renewal, isFipsHost } =
    order;
  return {
    dir: join(dir, outputs, name),
    within: order.within ?? dir,
    target,
    command,
    variables,
    present,
    templates,
    access,
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(program !== undefined && { program }),
    ...(renewal !== undefined && { renewal }),
    ...(isFipsHost !== undefined && { isFipsHost }),
    source: {
      inputs: site.inputs,
      hasFaults: () => hasFaults(site),
      recipients: order.recipients,
      ...(order.encryptOutputs !== undefined && { encryptOutputs: order.encryptOutputs }),
      record,
    },
  };
}

/** Whether a problem concerns the outputs folder of the site and not its inputs. */
export function isOutputProblem({ code, at }: Problem): boolean {
  return code.startsWith('dir/') || at?.file === stateFileName;
}

/**
 * Rewrites a problem of an outputs folder for the fleet. Problems of the state lose their place, so that those of several sites can be
 * grouped.
 */
export function inOutputFolder(found: Problem, folder: string): Problem {
  const { at, ...rest } = found;
  if (at === undefined && found.code === 'dir/not-writable') {
    const hint =
      'free disk space or grant write permission, or set outputs in fleet.yaml to another directory';
    return { ...rest, hint };
  }
  if (at === undefined || at.file === stateFileName) return rest;
  return { ...rest, at: { ...at, file: posix.join(folder, at.file) } };
}
