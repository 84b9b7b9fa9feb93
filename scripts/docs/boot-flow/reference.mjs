import { catalog, templateOf } from '../../../.cache/modules/node/live/live-catalog.js';
import { faultsOfAnyStage, limitTable, noticeTable, stageTable, waitTable } from './event-tables.mjs';
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
  ].join('\n\n');
}

const intros = {
  units:
    'In the order in which they have their turn; first those that keep no record. A unit that comes after another starts when that' +
    '\none has started, or has failed. One that fails is started again without end, unless something else is said.',
  stages:
    'In the order in which each service goes through them. A stage with a marker is done once; one without is gone through at' +
    '\neach start of the service. A failure stops the service until its unit is started again, or it goes on without the stage. In' +
    `\nevery stage these are looked for: ${faultsOfAnyStage()}.`,
  waits:
    'In the words of the log, `waiting for …` or `pulling …`, with `*` for what differs. A wait whose time is up fails its stage;' +
    '\nthe chapters above tell where it does not.',
  limits:
    'A program that takes longer is ended and counts as failed. Whether it is run again is up to the wait or the stage around it.',
  notices: 'What the console shows, by the first line; `*` stands for what differs.',
};

function allScripts() {
  const paths = catalog.map(templateOf).filter((path) => path?.endsWith('.sh'));
  return new Map(paths.map((path) => [fileName(path), readScript(fileName(path), liveText(path))]));
}

function eventsOf({ name, values }, scripts) {
  return ['ExecStartPre', 'ExecStart', 'ExecStartPost']
    .flatMap(values)
    .map((command) => fileName(command.split(' ', 1)[0]))
    .filter((script) => scripts.has(script))
    .flatMap((script) => traceOf(script, scripts))
    .map((event) => ({ ...event, service: shortName(name) }));
}
