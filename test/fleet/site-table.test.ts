import { describe, expect, it, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { readSiteTable, type SiteTable } from '../../src/fleet/table/site-table.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { expectOk } from '../support/sound-value.js';
import { problemLine } from './files.js';

function tableOf(text: string, file = 'sites.csv'): SiteTable {
  return expectOk(readSiteTable(file, { kind: 'file', bytes: Buffer.from(text) }));
}

/** Every site as plain data. */
function sitesOf({ rows }: SiteTable): readonly unknown[] {
  return rows.map(({ name, variables: { known, empty } }) => ({
    name,
    ...Object.fromEntries([...known].map(([key, { value }]) => [key, toData(value)])),
    ...(empty.size > 0 && { empty: [...empty.keys()] }),
  }));
}

function problemsIn(text: string | Uint8Array, file = 'sites.csv'): readonly string[] {
  const read = readSiteTable(file, { kind: 'file', bytes: Buffer.from(text) });
  return [...problemsOf(read), ...(read.ok ? read.value.faults : [])].map(problemLine);
}

/** A table of one site with this many columns. */
function wideTable(file: string, columns: number): string {
  const names = ['name', ...Array.from({ length: columns - 1 }, (_, index) => `c${index}`)];
  return file.endsWith('.csv')
    ? `${names.join(',')}\n${names.map(() => 'x').join(',')}\n`
    : `- {${names.map((name) => `${name}: x`).join(', ')}}\n`;
}

describe('the table of sites', () => {
  it('has up to 1,000 columns', () => {
    expect(tableOf(wideTable('sites.csv', 1000)).columns.size).toBe(1000);
    for (const file of ['sites.csv', 'sites.yaml'])
      expect(problemsIn(wideTable(file, 1001), file)).toEqual([
        `${file} fleet/table: the site table has 1001 columns; the limit is 1000`,
      ]);
  });

  it('parses numbers, and keeps similar and quoted texts as strings', () => {
    const table = tableOf(
      'name,vlan,serial,flag,quoted,asset\nnorth-1,100,0100,true,"100",1e3\nnorth-2,-1.5,1_0,yes,"",\n',
    );
    expect(sitesOf(table)).toEqual([
      { name: 'north-1', vlan: 100, serial: '0100', flag: true, quoted: '100', asset: '1e3' },
      { name: 'north-2', vlan: -1.5, serial: '1_0', flag: 'yes', quoted: '', empty: ['asset'] },
    ]);
  });

  it('fills short lines with empty cells', () => {
    expect(sitesOf(tableOf('name,a,b\nx,1\n'))).toEqual([{ name: 'x', a: 1, empty: ['b'] }]);
  });

  it.each([
    { file: 'sites.yaml', text: '- name: x\n  vlan: 100\n  dns: [1.1.1.1]\n- {name: z, vlan: ~}\n' },
    { file: 'sites.json', text: '[{"name":"x","vlan":100,"dns":["1.1.1.1"]},{"name":"z","vlan":null}]' },
  ])('is read from $file too, with lists and maps', ({ file, text }) => {
    const table = tableOf(text, file);
    expect(sitesOf(table)).toEqual([
      { name: 'x', vlan: 100, dns: ['1.1.1.1'] },
      { name: 'z', empty: ['vlan'] },
    ]);
    expect([...table.columns.keys()]).toEqual(['name', 'vlan', 'dns']);
  });

  test.each([
    { name: 'nothing', text: '', want: ['sites.csv fleet/table: the site table has no sites'] },
    {
      name: 'a header alone',
      text: 'name,a\n',
      want: ['sites.csv fleet/table: the site table has no sites'],
    },
    {
      name: 'no name',
      text: 'site,a\nx,1\n',
      want: ['sites.csv:2:1 fleet/site-name: the site name is missing'],
    },
    {
      name: 'names that no folder and no domain can have',
      text: 'name\nNorth\n../x\na.b\n-a\n"a b"\n',
      want: [
        'sites.csv:2:1 fleet/site-name: "North" is not a valid site name: it has upper-case letters',
        'sites.csv:3:1 fleet/site-name: "../x" is not a valid site name: it contains a dot',
        'sites.csv:4:1 fleet/site-name: "a.b" is not a valid site name: it contains a dot',
        'sites.csv:5:1 fleet/site-name: "-a" is not a valid site name: a part between dots starts or ends with "-"',
        'sites.csv:6:1 fleet/site-name: "a b" is not a valid site name: only letters, digits, "-" and "." are allowed',
      ],
    },
    {
      name: 'a site twice',
      text: 'name\na\nb\na\n',
      want: ['sites.csv:4:1 fleet/site-twice: site a already exists in line 2'],
    },
    {
      name: 'columns without a name, twice, and with a blank',
      text: 'name,,a,a,b c\nx,1,2,3,4\n',
      want: [
        'sites.csv:1:6 fleet/column: the column name is missing',
        'sites.csv:1:9 fleet/column: the column "a" occurs twice',
        'sites.csv:1:11 fleet/column: "b c" is not a valid column name: start with a letter; use only letters, digits, "-" and "_"',
      ],
    },
    {
      name: 'a cell too many',
      text: 'name,a\nx,1,2\n',
      want: ['sites.csv:2:5 fleet/column: this line has more cells than the header (2)'],
    },
    {
      name: 'an open quote',
      text: 'name,a\nx,"1\n',
      want: ['sites.csv:2 fleet/table: a quote is opened here and not closed'],
    },
  ])('reports the location of $name', ({ text, want }) => {
    expect(problemsIn(text)).toEqual(want);
  });

  test.each([
    {
      name: 'a spreadsheet as it is',
      file: 'sites.csv',
      text: Buffer.from([0x50, 0x4b, 3, 4, 0xff]),
      want: /sites.csv fleet\/table: sites.csv is not UTF-8/,
    },
    {
      name: 'a map',
      file: 'sites.yaml',
      text: 'sites: []',
      want: /sites.yaml fleet\/table: sites.yaml is not a list of sites/,
    },
    {
      name: 'texts',
      file: 'sites.yaml',
      text: '- x\n',
      want: /sites.yaml:1:3 fleet\/table: the site is not a map of variables/,
    },
    {
      name: 'broken YAML',
      file: 'sites.yml',
      text: '- name: x\n   a: 1\n',
      want: /sites.yml:2:\d+ fleet\/table: /,
    },
  ])('refuses $name', ({ file, text, want }) => {
    expect(problemsIn(text, file)[0]).toMatch(want);
  });

  it('reports a missing file and other file types', () => {
    expect(problemsOf(readSiteTable('sites.csv', { kind: 'absent' })).map(problemLine)).toEqual([
      expect.stringContaining('fleet/table: cannot read the site table: it does not exist'),
    ]);
    expect(
      problemsOf(readSiteTable('s', { kind: 'unreadable', reason: 'it is a folder' })).map(problemLine),
    ).toEqual([expect.stringContaining('it is a folder')]);
  });
});
