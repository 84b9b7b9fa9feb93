import { basename, dirname, join, relative, resolve } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { noStandardInput } from '../../disk/external-files/standard-input.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { readInput } from '../../disk/read-inputs.js';
import { readSiteRecord } from '../../disk/site-record/site-record.js';
import { filesOf } from '../table/check-site-files.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { fleetFileName } from '../table/fleet-paths.js';
import { openFleet } from '../table/read-fleet.js';
import { shellWord } from '../../formats/shell-word.js';
import { neededLiveImage } from '../../run/dry-run-outputs.js';
import type { RunOptions, RunReport } from '../../run/run.js';
import { existingOutput } from '../../run/sources/existing-output.js';
import type { Facts } from '../../run/target.js';
import { statusWords } from './status-words.js';
import { fleetStatusNow } from './fleet-request.js';
import { namedPayloads, type NamedPayload } from './site-payloads.js';

interface SiteOfFleet {
  /** The folder of the site. */
  readonly dir: string;
  readonly offlineFiles?: string;
  readonly recipient?: readonly string[];
  readonly recipientsFile?: readonly string[];
  readonly passphrase?: boolean;
}

/**
 * Checks that the outputs of a site match the files of its fleet. Problems: fleet/missing, fleet/outdated, usage/unknown-argument, those of
 * `openFleet`.
 */
export async function checkFleetSite(options: SiteOfFleet, request: RunOptions): Promise<Result<Facts>> {
  const { dir } = options;
  const found = fleetOf(dir, request);
  if (!found.ok) return found;
  const { folder, opened } = found.value;
  const name = siteName(dir);
  const refresh = `sno-install fleet create --dir ${shellWord(folder)} --only ${name}`;
  const faults = changingOptions(options, request).map((option) =>
    problem(
      'usage/unknown-argument',
      `${option} does not apply to a site of a fleet: it changes its outputs`,
      {
        hint: `change the fleet or run \`${refresh}${option.startsWith('--renew') ? ' --renew' : ''}\``,
      },
    ),
  );
  const { variables, stdin = noStandardInput, present: now } = request;
  const surroundings = { variables, stdin, present: () => now };
  const [site] = fleetStatusNow({ ...options, dir: folder, surroundings }, opened).sites;
  const outdated =
    site === undefined || site.status === 'current'
      ? []
      : [
          problem('fleet/outdated', `site ${name} of the fleet is ${statusWords(site)}`, {
            hint: `run \`${refresh}\`, then this command again`,
          }),
        ];
  if (faults.length + outdated.length > 0) return failure(...faults, ...outdated);
  const [row] = opened.rows;
  if (row === undefined) return success({});
  const { target } = opened.fleet;
  const { inputs } = filesOf(opened, row);
  const needed = await neededLiveImage({ target, inputs, templates: ownTemplates() }, { now, variables });
  return success(needed.ok ? { liveImage: needed.value } : {});
}

/** The payload that a site of a fleet names. Problems: fleet/missing, those of `openFleet`. */
export function fleetSitePayload(dir: string, request: RunOptions): Result<NamedPayload | undefined> {
  const found = fleetOf(dir, request);
  if (!found.ok) return found;
  const { folder, opened } = found.value;
  return success(namedPayloads(folder, opened)[0]);
}

/** The existing live config of a site of a fleet. Problems: fleet/output-gone, those of encrypted contents. */
export async function fleetSiteConfig(
  dir: string,
  path: string,
  { access }: RunOptions,
): Promise<Result<{ readonly bytes: Buffer; readonly report: RunReport }>> {
  const read = await existingOutput(dir, path, access);
  if (read === undefined) {
    const hint = 'boot media need a fleet with the target single-node-ignition-config';
    return failure(problem('fleet/output-gone', `${join(dir, path)} does not exist`, { hint }));
  }
  if (!read.ok) return read;
  const until = readSiteRecord(dir)?.bootableUntil;
  const bootableUntil = until !== undefined && { bootableUntil: new Date(until) };
  return success({ bytes: Buffer.from(read.value), report: { outputs: [], ...bootableUntil } });
}

/** The directory of the nearest fleet.yaml above the outputs of a site, relative to the working directory. */
export function fleetFolderAbove(dir: string): string | undefined {
  for (let at = dirname(resolve(dir)); ; at = dirname(at)) {
    if (readInput(join(at, fleetFileName)).kind === 'file') return relative('', at) || '.';
    if (at === dirname(at)) return undefined;
  }
}

function siteName(dir: string): string {
  return basename(resolve(dir));
}

interface FoundFleet {
  readonly folder: string;
  readonly opened: LoadedFleet;
}

/** The fleet whose outputs contain the directory: the nearest fleet.yaml above it that names them. */
function fleetOf(dir: string, { variables, stdin = noStandardInput }: RunOptions): Result<FoundFleet> {
  const name = siteName(dir);
  const outside = { variables, stdin };
  for (let at = dirname(resolve(dir)); ; at = dirname(at)) {
    if (readInput(join(at, fleetFileName)).kind === 'file') {
      const opened = openFleet(at, { only: [name], outside });
      if (!opened.ok) return failure(...opened.problems.map((each) => seenFrom(dir, at, each)));
      if (resolve(at, opened.value.fleet.outputs, name) === resolve(dir))
        return success({ folder: relative('', at) || '.', opened: opened.value });
    }
    if (at === dirname(at)) break;
  }
  const message = `${dir} belongs to a site of a fleet, but no directory above it has the ${fleetFileName}`;
  const hint =
    'run the command in the outputs directory of the fleet, which shows whether they are up to date';
  return failure(problem('fleet/missing', message, { hint }));
}

/** Changes the file of a problem from the fleet's folder to the site's, to which reports are relative. */
function seenFrom(dir: string, folder: string, { at, ...rest }: Problem): Problem {
  return at === undefined
    ? rest
    : { ...rest, at: { ...at, file: relative(resolve(dir), join(folder, at.file)) } };
}

/** The options that change the outputs. */
function changingOptions(
  { recipient = [], recipientsFile = [], passphrase = false }: SiteOfFleet,
  { renewal, kernelArguments = [], encryptOutputs }: RunOptions,
): readonly string[] {
  return [
    ...(renewal === undefined ? [] : [renewal === 'always' ? '--renew' : '--renew-before']),
    ...(kernelArguments.length === 0 ? [] : ['--dest-karg or --console']),
    ...(encryptOutputs === undefined ? [] : [encryptOutputs ? '--encrypt-outputs' : '--no-encrypt-outputs']),
    ...(recipient.length + recipientsFile.length === 0 ? [] : ['--recipient']),
    ...(passphrase ? ['--passphrase'] : []),
  ];
}
