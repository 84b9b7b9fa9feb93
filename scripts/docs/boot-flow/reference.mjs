import { readdirSync } from 'node:fs';

import { catalog, templateOf } from '../../../.cache/modules/node/live/live-catalog.js';
import { faultsOfAnyStage, limitTable, noticeTable, stageTable, waitTable } from './event-tables.mjs';
import { assumptions, pullTimeTable } from './pull-times.mjs';
import { readScript } from './shell.mjs';
import { traceOf } from './trace.mjs';
import { unitTable } from './unit-table.mjs';
import { fileName, liveText, shortName, unitsOf } from './units.mjs';

const phases = [
  { phase: 'live', title: 'In the live system' },
  { phase: 'node', title: 'On the installed node' },
];

/** Tables of all units, stages, waits, time limits and notices, generated from the installation's units and scripts. */
export function referenceOfBootFlow() {
  const scripts = allScripts();
  const told = phases.map(({ phase, title }) => {
    const units = unitsOf(phase);
    return { title, units, events: units.flatMap((unit) => eventsOf(unit, scripts)) };
  });
  const chapter = (heading, intro, tableOf) => [
    `### ${heading}`,
    intro,
    ...told.flatMap((each) => [`${each.title}:`, tableOf(each)]),
  ];
  return [
    ...chapter('Units', intros.units, ({ units }) => unitTable(units)),
    ...chapter('Stages', intros.stages, ({ events }) => stageTable(events)),
    ...chapter('Waits', intros.waits, ({ events }) => waitTable(events)),
    ...chapter('Limits on programs', intros.limits, ({ events }) => limitTable(events)),
    ...chapter('Notices on the console', intros.notices, ({ events }) => noticeTable(events)),
    '### Time of the pulls',
    intros.pulls,
    pullTimeTable(),
  ].join('\n\n');
}

const intros = {
  units:
    'In start order, first the units that write no service records. A unit that is ordered after another one starts when that unit has' +
    '\nstarted or failed. A failed unit is restarted without a limit, unless the table says otherwise.',
  stages:
    'In the order of execution. A stage with a marker is executed once; a stage without a marker is executed at each start of' +
    '\nthe service. At a failure the service stops until its unit is restarted, or continues without the stage. Known faults in' +
    `\nevery stage: ${faultsOfAnyStage()}.`,
  waits:
    'The log prints these as `waiting for …` or `pulling …`; `*` replaces variable text. A stage fails when its wait times out, except where' +
    '\nthe chapters above describe it differently.',
  limits:
    'A program that runs longer is stopped and counts as failed. The wait or the stage decides whether it is run again.',
  notices: 'The first line of each notice; `*` replaces variable text.',
  pulls:
    '**A model, not a measurement**: minutes from the release image to the end of the stages that need an image, with images pulled one' +
    '\nafter another, as openshift-install does, and ahead. For `render: Release` on a live image without OpenShift programs. Assumed:' +
    `\n${assumptions()}` +
    '\nTransfers share the link equally. The model has no shared layers and no limits of registry, memory and processors. The time before' +
    '\nand after these stages does not change. [Benchmarks](../bench/README.md#pulls) compare it with podman and the scripts.',
};

function allScripts() {
  const ofPayload = ['usr/local/bin', 'installed/usr/local/bin'].flatMap((folder) =>
    readdirSync(`templates/payload/${folder}`).map((name) => `../payload/${folder}/${name}`),
  );
  const others = ['../post-install/usr/local/bin/sno-post-install.sh', ...ofPayload];
  const paths = [...catalog.map(templateOf), ...others].filter((path) => path?.endsWith('.sh'));
  return new Map(paths.map((path) => [fileName(path), readScript(fileName(path), liveText(path))]));
}

function eventsOf({ name, values }, scripts) {
  return ['ExecStartPre', 'ExecStart', 'ExecStartPost']
    .flatMap(values)
    .map((command) => fileName(command.split(' ', 1)[0]))
    .filter((script, index, all) => scripts.has(script) && all.indexOf(script) === index)
    .flatMap((script) => traceOf(script, scripts))
    .map((event) => ({ ...event, service: shortName(name) }));
}
