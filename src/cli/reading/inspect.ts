import { relative } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { mayHavePayload } from '../../disk/payload/open-medium.js';
import { validationTime } from '../../run/effects/clock.js';
import { xzEncode } from '../../formats/xz.js';
import type { IsoFacts } from '../../media/read-medium.js';
import { rootfsUrlIn } from '../../media/root-arguments.js';
import {
  inspectFile,
  networkFilesOf,
  machineWarnings,
  type Inspection,
} from '../../review/inspection/inspect-file.js';
import { renderUrl, renderWord } from '../../review/render-text.js';
import { bootedMedium } from '../../review/sheet/booted-medium.js';
import { readSheet } from '../../review/sheet/read-sheet.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { sheetMarkdown } from '../../review/sheet/show-sheet.js';
import { isFolder } from '../../run/sources/review-folder.js';
import { siteSheet } from '../../run/sources/site-sheet.js';
import { isTargetName } from '../../run/targets.js';
import type { AioOptions, GlobalOptions, InspectOptions } from '../options.js';
import { kilobytes } from '../output/kilobytes.js';
import { inspectPayload } from '../payload/inspect-payload.js';
import { report, reportResult } from '../output/report.js';
import { stateAccess } from '../request.js';
import { readConfigSource, type ConfigSource } from '../../run/sources/config-source.js';
import { sheetRequest } from './sheet-request.js';
import { usageError } from '../usage-error.js';
import {
  folderText,
  inspectData,
  inspectSummary,
  inspectText,
  type InspectedMedium,
  type InspectResult,
} from '../output/inspect-text.js';
import { ourTemplates } from '../../run/sources/own-templates.js';

type Options = GlobalOptions & InspectOptions & AioOptions;

/** Prints the sheet of a site, and the contents of an Ignition config or medium. Suspicious settings are warnings. */
export async function inspect(path: string, options: Options): Promise<void> {
  if (isFolder(path)) await inspectFolder(path, options);
  else if (mayHavePayload(path)) inspectPayload(path, options);
  else await inspectNamedFile(path, options);
}

/** Prints the sheet of a configuration, of outputs, or of the files of a network boot. */
async function inspectFolder(path: string, options: Options): Promise<void> {
  const now = validationTime(process.env, new Date());
  const { target, all } = options;
  if (all === true) {
    usageError(options, '--all needs a file', 'name the Ignition config or the medium in the directory');
    return;
  }
  if (!isTargetName(target)) throw new Error(`internal error: unknown target ${target}`);
  if (!now.ok) {
    report(options, { problems: now.problems });
    return;
  }
  const found = await siteSheet(path, sheetRequest(options, { target, now: now.value }));
  const shown = found.ok && { ...found.value, path, now: now.value };
  report(
    { ...options, dir: '.' },
    {
      problems: problemsOf(found),
      ...(shown && {
        text: options.output === 'markdown' ? sheetMarkdown(shown.sheet, path) : folderText(shown),
        json: { path, kind: shown.kind, sheet: shown.sheet },
      }),
    },
  );
}

async function inspectNamedFile(path: string, options: Options): Promise<void> {
  const now = validationTime(process.env, new Date());
  const holder = await readConfigSource(path, stateAccess(options));
  if (!now.ok || !holder.ok) {
    report(options, { problems: [...problemsOf(now), ...problemsOf(holder)] });
    return;
  }
  const at = { file: relative(options.dir, path) };
  const medium = mediumOf(holder.value);
  const inspection = await inspectionOf(holder.value, now.value);
  if (inspection === undefined && medium === undefined) {
    const message = 'the file is neither an Ignition config nor an image with one';
    report(options, { problems: [problem('inspect/not-a-config', message, { at })] });
    return;
  }
  const sheet = sheetOf(holder.value);
  const found = {
    path,
    now: now.value,
    ...(medium && { medium }),
    ...(inspection && { inspection }),
    ...(sheet && { sheet }),
  };
  reportResult(options, {
    problems: oddOf(medium, inspection).map((each) => ({ ...each, at })),
    text: textOf(found, options),
    json: inspectData(found),
  });
}

function textOf(found: InspectResult, { output, all }: Options): string {
  if (output === 'markdown') return sheetMarkdown(found.sheet ?? [], found.path);
  return all === true ? inspectText(found) : inspectSummary(found);
}

/** The sheet of a file; undefined for a medium without a config. */
function sheetOf({ bytes, medium }: ConfigSource): Sheet | undefined {
  if (bytes === undefined) return undefined;
  const { iso } = medium ?? {};
  const payload =
    iso && `${kilobytes(iso.configArea.usedBytes)} of ${kilobytes(iso.configArea.bytes)} in the ISO`;
  return readSheet(bytes, {
    ...(medium && { medium: bootedMedium(medium) }),
    ...(payload !== undefined && { payload }),
  });
}

function mediumOf({ medium }: ConfigSource): InspectedMedium | undefined {
  if (medium === undefined) return undefined;
  const beside = new Map([...medium.files].map(([name, { contents }]) => [name, contents]));
  return {
    files: [...medium.files].map(([name, { mode, contents }]) => ({
      path: name,
      mode,
      bytes: contents.length,
    })),
    network: networkFilesOf(beside),
    ...(medium.iso && { iso: shownIso(medium.iso) }),
  };
}

/** Masks possible secrets in ISO fields that users or other tools may have set. */
function shownIso(iso: IsoFacts): IsoFacts {
  const words = (text: string): string => text.split(/\s+/).map(shownArgument).join(' ');
  const { text = '', original } = iso.kernelArguments ?? {};
  const shown = { text: words(text), ...(original !== undefined && { original: words(original) }) };
  const { url } = iso.rootfs ?? {};
  return {
    ...iso,
    volume: words(iso.volume),
    ...(iso.kernelArguments && { kernelArguments: shown }),
    ...(url !== undefined && { rootfs: { url: shownUrl(url) } }),
  };
}

function shownArgument(word: string): string {
  const url = rootfsUrlIn(word);
  return url === undefined ? renderWord(word) : `${word.slice(0, -url.length)}${shownUrl(url)}`;
}

function shownUrl(url: string): string {
  return renderUrl(renderWord(url));
}

async function inspectionOf({ path, bytes }: ConfigSource, now: Date): Promise<Inspection | undefined> {
  if (bytes === undefined) return undefined;
  return inspectFile({ path, bytes }, { now, templates: ourTemplates(), encode: xzEncode });
}

function oddOf(medium: InspectedMedium | undefined, inspection: Inspection | undefined): readonly Problem[] {
  if (inspection === undefined)
    return [problem('inspect/no-config', 'the image contains no readable Ignition config')];
  return [...inspection.odd, ...(medium?.iso ? machineWarnings(inspection.cluster, medium.iso) : [])];
}
