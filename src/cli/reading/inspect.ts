import { relative } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
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
import type { GlobalOptions, InspectOptions } from '../options.js';
import { report, reportResult } from '../output/report.js';
import { stateAccess } from '../request.js';
import { readConfigSource, type ConfigSource } from '../../run/sources/config-source.js';
import { inspectData, inspectSummary, inspectText, type InspectedMedium } from '../output/inspect-text.js';
import { ourTemplates } from '../../run/sources/own-templates.js';

/** Prints the contents of an Ignition config or medium. Suspicious settings are warnings. */
export async function inspect(path: string, options: GlobalOptions & InspectOptions): Promise<void> {
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
  const found = { path, now: now.value, ...(medium && { medium }), ...(inspection && { inspection }) };
  reportResult(options, {
    problems: oddOf(medium, inspection).map((each) => ({ ...each, at })),
    text: options.all === true ? inspectText(found) : inspectSummary(found),
    json: inspectData(found),
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
