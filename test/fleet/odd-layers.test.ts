import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { withFleetVariables } from '../../src/fleet/table/check-fleet.js';
import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { siteFiles, type SiteFiles } from '../../src/fleet/table/site-files.js';
import { problemsOf } from '../../src/core/result.js';
import { recordInputs, recordOfRequests } from '../../src/disk/state/recorded-inputs.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

/** A fleet whose classes are in the table, with a link to a missing folder. */
function folderWith(link: string): string {
  const folder = fleetFolder({
    'fleet.yaml': fleetText('classes: ["${hw}"]\n'),
    'sites.csv': 'name,ip,hw\nnorth-1,192.168.126.10,du\nnorth-2,192.168.126.11,du\n',
    'classes/du/manifests/a.yaml': 'a: b\n',
    'overrides/north-1/sno-config.yaml': 'hostname: other\n',
  });
  rmSync(join(folder, link), { recursive: true, force: true });
  mkdirSync(join(folder, link, '..'), { recursive: true });
  symlinkSync('nowhere', join(folder, link));
  return folder;
}

describe('a link to a missing folder', () => {
  it.each([
    ['overrides', ['overrides fleet/override: overrides cannot be read as a folder']],
    ['overrides/north-2', ['overrides/north-2 fleet/override: overrides/north-2 cannot be read as a folder']],
    ['overrides/README', []],
    ['classes', ['classes fleet/class: classes cannot be read as a folder']],
  ])('is reported as %s', (link, want) => {
    expect(problemsOf(openFleet(folderWith(link))).map(problemLine)).toEqual(want);
  });

  it.each([
    ['base/manifests', 'base/manifests manifest/unreadable: manifests cannot be read as a folder'],
    [
      'overrides/north-1/manifests',
      'overrides/north-1/manifests manifest/unreadable: manifests cannot be read as a folder',
    ],
  ])('is reported as %s if another layer has the folder', (link, want) => {
    const files = firstSite(folderWith(link));
    files.inputs.list('manifests');
    files.inputs.list('manifests');
    expect(files.problems.map(problemLine)).toEqual([want]);
  });
});

it('a link to a folder is an override, and reported if no site has its name', () => {
  const folder = fleetFolder({ 'shared/sno-config.yaml': 'hostname: other\n' });
  mkdirSync(join(folder, 'overrides'));
  for (const name of ['north-1', 'nroth-2']) symlinkSync('../shared', join(folder, 'overrides', name));
  expect(problemsOf(openFleet(folder)).map(problemLine)).toEqual([
    'overrides/nroth-2 fleet/override: this override does not match any site',
  ]);
});

it('a folder that becomes a link to a missing folder, or a file, is a changed input', () => {
  const folder = fleetFolder();
  const before = recordInputs(firstSite(folder).inputs);
  before.inputs.list('manifests');
  before.inputs.list('post-install');
  const same = recordOfRequests(Object.keys(before.record()), firstSite(folder).inputs);
  symlinkSync('nowhere', join(folder, 'base/manifests'));
  writeFileSync(join(folder, 'base/post-install'), '');
  const after = recordOfRequests(Object.keys(before.record()), firstSite(folder).inputs);
  expect(same).toEqual(before.record());
  expect(Object.keys(after).filter((key) => after[key] !== same[key])).toEqual([
    'list manifests',
    'list post-install',
  ]);
});

function firstSite(folder: string): SiteFiles {
  const read = openFleet(folder);
  if (!read.ok) throw new Error(read.problems.map(problemLine).join('\n'));
  const [row] = read.value.rows;
  if (row === undefined) throw new Error('the fleet has no site');
  return siteFiles(read.value.files, withFleetVariables(row, read.value.fleet));
}
