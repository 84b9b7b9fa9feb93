import { join, relative } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { overlayName } from '../../media/pxe-sources.js';
import { scriptNames } from '../../media/single-node-pxe.js';
import { bootedMedium, mediumOfScript } from '../../review/sheet/booted-medium.js';
import { changedRows, type ChangedRow } from '../../review/sheet/compare-sheets.js';
import { sheetOfOutputs } from '../../review/sheet/sheet-differences.js';
import { readSheet } from '../../review/sheet/read-sheet.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { dryRunOutputs } from '../dry-run-outputs.js';
import type { TargetName } from '../targets.js';
import { readConfigSource } from './config-source.js';
import { folderOnDisk, isFolder, outputsIn, type ReviewFolder } from './review-folder.js';

/** The sheet of a path of the command line. */
export interface SiteSheet {
  readonly kind: 'configuration' | 'outputs' | 'pxe' | 'medium';
  readonly sheet: Sheet;
}

export interface SheetRequest {
  readonly target: TargetName;
  readonly offlineFiles?: string;
  /** Decrypts encrypted outputs. */
  readonly access: StateAccess;
  /** For fields that refer to a variable or stdin. */
  readonly outside: ExternalSources;
  readonly now: Date;
}

/**
 * The sheet of a directory with a configuration, with outputs or with the files of a network boot, of a live ISO, an initrd overlay or an
 * Ignition config. Problems: review/nothing-to-show, review/not-a-config, inspect/outdated-outputs, those of reading, and of every asset.
 */
export async function siteSheet(path: string, request: SheetRequest): Promise<Result<SiteSheet>> {
  return isFolder(path)
    ? sheetOfFolder(folderOnDisk(path, request.outside), request)
    : sheetOfFile(path, request.access);
}

/** The same for a folder on the disk or in a Git revision. */
export async function sheetOfFolder(folder: ReviewFolder, request: SheetRequest): Promise<Result<SiteSheet>> {
  if (folder.hasInputs) return sheetOfInputs(folder, request);
  if (folder.hasConfigs) {
    const outputs = await sheetOfFiles(folder, request.access);
    return outputs.ok ? success({ kind: 'outputs', sheet: outputs.value }) : outputs;
  }
  if ((folder.inputs.list('.') ?? []).includes(overlayName)) return sheetOfPxe(folder, request.access);
  const message = `${folder.name} contains neither an install-config.yaml nor an Ignition config nor ${overlayName}`;
  return failure(problem('review/nothing-to-show', message));
}

async function sheetOfFile(path: string, access: StateAccess): Promise<Result<SiteSheet>> {
  const read = await readConfigSource(path, access);
  if (!read.ok) return read;
  const { bytes, medium } = read.value;
  const sheet = bytes && readSheet(bytes, medium && { medium: bootedMedium(medium) });
  return sheet === undefined ? notAConfig(path) : success({ kind: 'medium', sheet });
}

function notAConfig(path: string): Result<never> {
  const message = 'the file is neither an Ignition config nor an image with one';
  return failure(problem('review/not-a-config', message, { at: { file: path } }));
}

async function sheetOfPxe({ name, inputs }: ReviewFolder, access: StateAccess): Promise<Result<SiteSheet>> {
  const path = join(name, overlayName);
  const read = await readConfigSource(path, access);
  if (!read.ok) return read;
  const script = inputs.read(scriptNames[0]);
  const { bytes, medium: overlay } = read.value;
  const medium = {
    ...(overlay && bootedMedium(overlay)),
    ...(script.kind === 'file' && mediumOfScript(Buffer.from(script.bytes).toString('utf8'))),
  };
  const sheet = bytes && readSheet(bytes, { medium });
  return sheet === undefined ? notAConfig(path) : success({ kind: 'pxe', sheet });
}

/** The outputs of the directory have the real certificates, if they belong to the present configuration. */
async function sheetOfInputs(folder: ReviewFolder, request: SheetRequest): Promise<Result<SiteSheet>> {
  const { now, outside } = request;
  const made = await dryRunOutputs(
    { ...request, inputs: folder.inputs, templates: ownTemplates(), placeholderRegistries: [] },
    { now, variables: outside.variables },
  );
  if (!made.ok) return failure(...made.problems.map(folder.placed));
  const warnings = made.warnings.map(folder.placed);
  const rendered = sheetOfOutputs(made.value);
  if (rendered === undefined) return failure(...warnings, ...problemsOf(noConfig(folder)));
  if (!folder.hasConfigs) return success({ kind: 'configuration', sheet: rendered }, warnings);
  const outputs = await sheetOfFiles(folder, request.access);
  if (!outputs.ok) return success({ kind: 'configuration', sheet: rendered }, warnings);
  const changed = changedRows(outputs.value, rendered).filter((row) => !isAddedByCreate(row));
  return changed.length === 0
    ? success({ kind: 'configuration', sheet: outputs.value }, warnings)
    : success({ kind: 'configuration', sheet: rendered }, [...warnings, outdated(folder, changed)]);
}

/** Kernel arguments that options of `create` have added. */
function isAddedByCreate({ name, before = [], after = [] }: ChangedRow): boolean {
  return name === 'installed-kernel-arguments' && after.every((argument) => before.includes(argument));
}

function outdated({ name }: ReviewFolder, changed: readonly { readonly label: string }[]): Problem {
  const labels = [...new Set(changed.map(({ label }) => label))];
  const message = `the Ignition configs in ${relative('', name) || '.'} do not match the configuration: ${labels.join(', ')}`;
  const hint = 'this sheet shows the configuration; run `create` again to update the outputs';
  return problem('inspect/outdated-outputs', message, { hint });
}

async function sheetOfFiles(folder: ReviewFolder, access: StateAccess): Promise<Result<Sheet>> {
  const outputs = await outputsIn(folder, access);
  if (!outputs.ok) return outputs;
  const sheet = sheetOfOutputs(outputs.value, { isRendered: false });
  return sheet === undefined ? noConfig(folder) : success(sheet);
}

function noConfig({ name }: ReviewFolder): Result<never> {
  const message = `${name} contains no Ignition config that boots a machine`;
  return failure(problem('review/nothing-to-show', message));
}
