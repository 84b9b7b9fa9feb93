import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { isOptionalStage, servicesOf } from '../src/analysis/stages.js';

const live = 'templates/live';
const carried = `${live}/opt/openshift/bootstrap-in-place`;
const payload = 'templates/payload';

/** The code of every script without comments and function heads, so that each remaining name is a use. */
const scripts = [
  `${live}/usr/local/bin`,
  carried,
  'templates/post-install/usr/local/bin',
  `${payload}/usr/local/bin`,
  `${payload}/installed/usr/local/bin`,
]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.sh'))
  .map((path) => ({ name: basename(path), code: codeOf(readFileSync(path, 'utf8')) }));

function codeOf(text: string): string {
  return text.replace(/^\s*#.*$/gm, '').replace(/^\w+\(\)/gm, '');
}

/** Uses of the commands in all scripts: the script, and the text after the command. */
function usesOf(command: string): readonly (readonly [script: string, rest: string])[] {
  const use = new RegExp(String.raw`(?<![\w-])(?:${command}) +(?=(.*))`, 'g');
  return scripts.flatMap(({ name, code }) =>
    [...code.matchAll(use)].map(([, rest = '']) => [name, rest] as const),
  );
}

type Row = Readonly<Record<string, string>>;

const reference = /<!-- generated: reference -->(.*)<!-- end of generated -->/s.exec(
  readFileSync('docs/boot-flow.md', 'utf8'),
)?.[1];

/** The rows of the tables below a heading, keyed by column name; cells without code marks. */
function rowsOf(heading: string): readonly (readonly Row[])[] {
  const chapter = reference?.split(/^### /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const tables = chapter.split('\n\n').filter((text) => text.startsWith('| '));
  return tables.map((text) => {
    const [head = [], , ...rows] = text.split('\n').map(cellsOf);
    return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
  });
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.replaceAll('`', ''));
}

/** Number of occurrences per name, sorted by name. */
function counted(names: readonly (string | undefined)[]): Readonly<Record<string, number>> {
  const sorted = names.map((name) => name ?? '').toSorted();
  return Object.fromEntries(sorted.map((name) => [name, sorted.filter((each) => each === name).length]));
}

describe('the reference of docs/boot-flow.md', () => {
  it('has every unit that is laid', () => {
    const names = [
      ...readdirSync(`${live}/etc/systemd/system`).map((name) => name.replace(/\.d$/, '')),
      ...readdirSync(`${payload}/etc/systemd/system`).filter((name) => !name.endsWith('.d')),
      'systemd-journal-gatewayd.socket',
      'dnsmasq.service',
    ];
    const onNode = [
      ...readdirSync(`${carried}/units`),
      ...readdirSync('templates/post-install/installed'),
      ...readdirSync(`${payload}/installed/units`).map((name) => name.replace(/\.tmpl$/, '')),
      'dnsmasq.service',
    ];
    const shortNames = (units: readonly string[]) => units.map((name) => name.replace(/\.service$/, ''));

    expect(
      rowsOf('Units').map((rows) =>
        rows.map(({ unit = '' }) => unit.replace(' (system unit)', '')).toSorted(),
      ),
    ).toEqual([names, onNode].map((units) => shortNames(units).toSorted()));
  });

  it('has every stage in its order, with its marker and whether it stops the service', () => {
    const stageRows = rowsOf('Stages').map((rows) => rows.map(({ service, stage }) => [service, stage]));
    const known = (['live', 'node'] as const).map((phase) =>
      servicesOf(phase).flatMap(({ service, stages }) => stages.map((stage) => [service, stage])),
    );
    expect(stageRows).toEqual(known);

    const rows = rowsOf('Stages').flat();
    const run = ['run_stage', 'try_stage', 'run_always'].flatMap((command) =>
      usesOf(command).map(([, rest]) => ({ stage: rest.split(' ')[0] ?? '', command })),
    );
    expect(counted(rows.map(({ stage }) => stage))).toEqual(counted(run.map(({ stage }) => stage)));
    for (const { stage, command } of run) {
      const row = rows.find((each) => each['stage'] === stage);
      expect(row?.['marker in /opt/openshift'], stage).toBe(command === 'run_always' ? '–' : `${stage}.done`);
      expect(row?.['on failure'], stage).toBe(command === 'try_stage' ? 'continues' : 'stops');
      expect(isOptionalStage(stage), stage).toBe(command === 'try_stage');
    }
  });

  it('has every wait', () => {
    // `await` passes its arguments on; its callers are counted instead.
    const waits = usesOf('wait_until|wait_for_check|await|pull_image').filter(
      ([, rest]) => !rest.startsWith('"${1}"'),
    );
    const rows = rowsOf('Waits').flat();

    expect(waits.length).toBeGreaterThan(25);
    expect(counted(rows.map(({ script }) => script))).toEqual(counted(waits.map(([script]) => script)));
  });

  it('has the text and durations of each wait in the scripts', () => {
    const literal = usesOf('wait_until|await').flatMap(([script, rest]) => {
      const [, what, atMost, every] = /^'([^']*)' (\d+) (\d+) /.exec(rest) ?? [];
      return what === undefined ? [] : [{ script, what, atMost: Number(atMost), every: Number(every) }];
    });
    const waits = rowsOf('Waits').flatMap((rows) =>
      rows.map((row) => ({
        script: row['script'],
        what: row['waits for'],
        atMost: secondsOf(row['timeout']),
        every: secondsOf(row['checks']?.replace('every ', '')),
      })),
    );

    expect(literal.length).toBeGreaterThan(10);
    expect(waits).toEqual(expect.arrayContaining(literal));
  });

  it('has every program that is given a limit', () => {
    const limits = usesOf('timeout').map(([script]) => script);
    // A use has one row per phase and per limit that callers set. Equal rows within a table are separate uses.
    const uses = rowsOf('Limits on programs').flatMap((rows) => {
      const stages = rows.map((row) => `${placeOf(row)} ${row['service: stage'] ?? ''}`);
      const before = (index: number) =>
        stages.slice(0, index).filter((each) => each === stages[index]).length;
      return rows.map((row, index) => `${placeOf(row)} ${before(index)}`);
    });

    expect(limits.length).toBeGreaterThan(10);
    expect(counted([...new Set(uses)].map((use) => use.split(' ')[0]))).toEqual(counted(limits));
  });

  it('has every notice', () => {
    const rows = rowsOf('Notices on the console').flat();
    const progress = 'report-progress.sh';
    const notices = usesOf('announce_issue').map(([script]) => script);
    expect(counted(rows.map(({ script }) => script))).toEqual(counted([...notices, progress]));

    const named = /(?<=issue=|_issue )\d\d_[\w-]+|\d\d_[\w-]+(?=\.issue)/g;
    const files = scripts.flatMap(({ code }) => [...code.matchAll(named)].map(([name]) => name));
    const issueFiles = rows.map((row) => row['file in /etc/issue.d']?.replace('.issue', ''));
    expect(Object.keys(counted(issueFiles))).toEqual(Object.keys(counted(files)));
  });
});

function placeOf({ script, function: name, program }: Row): string {
  return `${script ?? ''} ${name ?? ''} ${program ?? ''}`;
}

/** Seconds of a duration such as `65 min`. */
function secondsOf(text = ''): number {
  const [number, unit = ''] = text.split(' ');
  return Number(number) * ({ s: 1, min: 60, h: 3600 }[unit] ?? Number.NaN);
}
