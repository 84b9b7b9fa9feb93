import { duration } from './duration.mjs';
import { code, table } from './markdown.mjs';
import { fileName, shortName, startersOf } from './units.mjs';

/** The units of a phase: their commands, triggers, and systemd's reaction to a failure. */
export function unitTable(units) {
  return table(
    [
      'unit',
      'runs',
      'started by',
      'order',
      'only when',
      'counts as started when it',
      'start timeout',
      'after a failure',
    ],
    units.map((unit) => [
      code(shortName(unit.name)) + (unit.isAddition ? ' (system unit)' : ''),
      runs(unit),
      startersOf(unit, units).map(starter).join(', '),
      order(unit),
      conditions(unit),
      ...(isOurService(unit) ? [...start(unit), whenItFails(unit)] : ['', '', '']),
    ]),
  );
}

function runs({ values }) {
  const commands = ['ExecStartPre', 'ExecStart', 'ExecStartPost'].flatMap(values).map(command);
  const [where] = values('Where');
  const mount =
    where === undefined ? [] : [`a mount at ${code(where)}: ${values('What')[0]}, ${values('Options')[0]}`];
  return [...commands.map(code), ...mount].join(', then ');
}

/** A command without its folder and, if long, without options. Omits the `-` prefix of commands that may fail. */
function command(text) {
  const [program, ...args] = text.replace(/^-/, '').split(' ');
  const name = fileName(program);
  const whole = [name, ...args].join(' ');
  return whole.length <= 80 ? whole : `${name} …`;
}

function starter({ name, isRequiring }) {
  if (name === 'boot') return name;
  return code(shortName(name)) + (isRequiring ? ' (requires it)' : '');
}

function order({ values }) {
  return ['After', 'Before']
    .filter((key) => values(key).length > 0)
    .map((key) => `${key.toLowerCase()} ${values(key).map(shortName).map(code).join(', ')}`)
    .join('; ');
}

function conditions({ values, option }) {
  const paths = values('ConditionPathExists').map((path) =>
    path.startsWith('!') ? `${code(path.slice(1))} is absent` : `${code(path)} exists`,
  );
  return [...(option === undefined ? [] : [`${code(option)} in sno-config.yaml`]), ...paths].join(', ');
}

/** False for drop-ins of system units: the rest of the unit is not part of the installation. */
function isOurService({ values, isAddition }) {
  return values('ExecStart').length > 0 && !isAddition;
}

/** When systemd considers a unit started, and its start timeout. Source: systemd.service(5), Type=, TimeoutStartSec= */
function start({ values }) {
  const [type = 'simple'] = values('Type');
  const [limit] = values('TimeoutStartSec');
  switch (type) {
    case 'simple':
      return ['runs', ''];
    case 'oneshot':
      return ['has exited', limit === undefined ? 'none' : duration(limit)];
    case 'notify':
      return ['notifies systemd', duration(limit ?? '90s')];
    default:
      throw new Error(`internal error: unknown unit type ${type}`);
  }
}

/** Start rate limit. Source: systemd-system.conf(5), DefaultStartLimitIntervalSec= */
const startLimit = { starts: '5', interval: '10' };

function whenItFails({ values }) {
  const [restart = 'no'] = values('Restart');
  if (restart === 'no') return 'stays failed';
  const [pause] = values('RestartSec');
  const [starts = startLimit.starts] = values('StartLimitBurst');
  const [interval = startLimit.interval] = values('StartLimitIntervalSec');
  const isEndless = Number(starts) * Number.parseInt(pause, 10) >= Number.parseInt(interval, 10);
  const but = values('RestartPreventExitStatus').map((status) => `, except after exit status ${status}`);
  return [
    `restarts after ${duration(pause)}`,
    restart === 'always' ? ', with any exit status' : '',
    isEndless ? '' : `, at most ${starts} times in ${duration(interval)}`,
    ...but,
  ].join('');
}
