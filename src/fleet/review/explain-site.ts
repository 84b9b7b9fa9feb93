import { posix } from 'node:path';

import type { Place } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Origin } from '../../formats/yaml/traced.js';
import type { FieldLayer, FieldLocation, InputPlaces, WhyAnswer } from '../../review/why/why-text.js';
import { goldenValue } from '../../run/dry-run-outputs.js';
import { explainOutput, fieldLocations } from '../../run/sources/explain-output.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { checkSiteFiles, filesOf, siteSourcesOf } from '../table/check-site-files.js';
import type { Fleet } from '../table/fleet-file.js';
import { classesFolder, fleetFileName } from '../table/fleet-paths.js';
import type { SiteFiles } from '../table/site-files.js';
import type { SiteRow } from '../table/site-table.js';

/** The origin of an output of a site. */
export interface ExplainedSite {
  readonly answers: readonly WhyAnswer[];
  readonly places: InputPlaces;
}

export interface ExplainOptions {
  /** Argument of `why`. */
  readonly question: string;
  readonly offlineFiles?: string;
  /** Turns a path relative to fleet.yaml into the shown path. */
  readonly shownPath: (file: string) => string;
}

/**
 * Explains the origin of an output of a site, and names the layer that sets each field. Problems: why/unknown, fleet/…, those of every
 * asset.
 */
export async function explainSite(
  opened: LoadedFleet,
  row: SiteRow,
  { question, offlineFiles, shownPath }: ExplainOptions,
): Promise<Result<ExplainedSite>> {
  const { target } = opened.fleet;
  const templates = ownTemplates();
  const { judged, problems } = await checkSiteFiles(
    siteSourcesOf(opened),
    withFleetVariables(row, opened.fleet),
    (inputs) =>
      explainOutput(question, target, (asset, watch) =>
        goldenValue(
          {
            target,
            inputs,
            templates,
            watch,
            placeholderRegistries: [],
            ...(offlineFiles !== undefined && { offlineFiles }),
          },
          asset,
        ),
      ),
  );
  if (!judged.ok) return failure(...problems);
  return success({ answers: judged.value, places: placesIn(opened, row, shownPath) });
}

function placesIn(opened: LoadedFleet, row: SiteRow, shownPath: (file: string) => string): InputPlaces {
  const files = filesOf(opened, row);
  const textOf = (path: string): string | undefined => textIn(files, path);
  const shownAt = (place: Place): Omit<FieldLocation, 'field'> => {
    if (place.line === undefined) return { file: place.file };
    const origin = files.originOf(place);
    const { file, line } = origin.cell ?? origin.at;
    const layer = layerOf(origin, opened.fleet, shownPath);
    return { file: shownPath(file), ...(line !== undefined && { line }), layer };
  };
  return {
    fieldOf: fieldLocations({ textOf, shownAt }),
    sourcesOf: (path) => files.sourcesOf(path).map(shownPath),
  };
}

function textIn({ inputs }: SiteFiles, path: string): string | undefined {
  const read = inputs.read(path);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
}

function layerOf(
  { at, cell }: Origin,
  { sites, overrides }: Pick<Fleet, 'sites' | 'overrides'>,
  shownPath: (file: string) => string,
): FieldLayer {
  if (cell !== undefined) {
    const line = at.line === undefined ? '' : `:${at.line}`;
    return { ...layerOfCell(cell), usedAt: `${shownPath(at.file)}${line}` };
  }
  if (isBelow(at.file, overrides)) return { kind: 'override' };
  const [top, name] = at.file.split('/');
  if (top === classesFolder && name !== undefined) return { kind: 'class', name };
  return { kind: isBelow(at.file, sites) ? 'table' : 'base' };
}

/** The path of a cell ends with the name of its variable. */
function layerOfCell({ file, path }: Place): FieldLayer {
  const name = path?.split('.').at(-1);
  const isSecret = path?.startsWith('secrets.') === true;
  const isOfClass = isBelow(file, classesFolder);
  const kind = file !== fleetFileName && !isOfClass ? 'column' : isSecret ? 'secret' : 'variable';
  return { kind, ...(name !== undefined && { name }) };
}

function isBelow(file: string, folder: string): boolean {
  return !posix.relative(folder, file).startsWith('..');
}
