// Tables of script events (trace.mjs). Each event has the `service` that runs the script.
import { faults } from '../../../.cache/modules/analysis/faults/all-faults.js';
import { duration } from './duration.mjs';
import { code, table } from './markdown.mjs';

/** The stages of a phase, with the known faults that `analyze` searches for in their output. */
export function stageTable(events) {
  return table(
    ['service', 'stage', 'marker in `/opt/openshift`', 'on failure', 'known faults'],
    events
      .filter(({ kind }) => kind === 'stage')
      .map(({ service, name, hasMarker, isOptional }) => [
        code(service),
        code(name),
        hasMarker ? code(`${name}.done`) : '',
        isOptional ? 'continues' : 'stops',
        faultLinks(
          (fault) =>
            fault.stages !== 'any' &&
            fault.stages.includes(name) &&
            (fault.service === undefined || fault.service === service),
        ),
      ]),
  );
}

/** The known faults that apply to every stage. */
export function faultsOfAnyStage() {
  return faultLinks(({ stages }) => stages === 'any');
}

/** The waits of a phase. */
export function waitTable(events) {
  return table(
    ['service: stage', 'script', 'waits for', 'timeout', 'checks', 'after the timeout'],
    placesOf(events, 'wait').map(({ places, script, what, atMost, every, advice }) => [
      places,
      code(script),
      code(what),
      duration(atMost),
      every === undefined ? 'with increasing intervals' : `every ${duration(every)}`,
      whenTheTimeIsUp({ script, what, advice }),
    ]),
  );
}

function whenTheTimeIsUp({ script, what, advice }) {
  const isMeant = (sign) => sign.script === script && 'waitsFor' in sign && stands(sign.waitsFor, what);
  const links = faultLinks(({ signs }) => signs.some(isMeant));
  const says = advice === undefined ? '' : `the console shows ${code(advice)}`;
  return [links, says].filter((each) => each !== '').join('; ');
}

/** True if a text matches another one, in which `*` matches anything. */
function stands(text, other) {
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(other);
}

/** The programs of a phase that run with a time limit. */
export function limitTable(events) {
  return table(
    ['service: stage', 'script', 'function', 'program', 'timeout'],
    placesOf(events, 'limit').map(({ places, script, function: name, program, atMost }) => [
      places,
      code(script),
      code(name),
      code(program),
      duration(atMost),
    ]),
  );
}

/** The console notices of a phase, by the first line of their text. */
export function noticeTable(events) {
  return table(
    ['service: stage', 'file in `/etc/issue.d`', 'script', 'text'],
    placesOf(events, 'notice').map(({ places, name, script, texts }) => [
      places,
      code(`${name}.issue`),
      code(script),
      texts.join(', or '),
    ]),
  );
}

/** Events of a kind, one per position in a script, with all stages that reach it. */
function placesOf(events, kind) {
  const rows = [];
  for (const event of events.filter((each) => each.kind === kind)) {
    const same = rows.find(([{ site, atMost }]) => site === event.site && atMost === event.atMost);
    if (same === undefined) rows.push([event]);
    else same.push(event);
  }
  return rows.map((all) => ({
    ...all[0],
    places: placesText(all),
    texts: [...new Set(all.map(noticeText))],
  }));
}

/** `service`: `stage`, or the number of stages if there are many. */
function placesText(events) {
  const services = [...new Set(events.map(({ service }) => service))];
  return services
    .map((service) => {
      const own = events.filter((event) => event.service === service && event.stage !== undefined);
      const stages = [...new Set(own.map(({ stage }) => code(stage)))];
      if (stages.length === 0) return code(service);
      return `${code(service)}: ${stages.length > 4 ? `${stages.length} stages` : stages.join(', ')}`;
    })
    .join('; ');
}

function noticeText({ text = '', saidBy }) {
  return saidBy === undefined ? code(text.split('\n', 1)[0]) : `output of ${code(saidBy)}`;
}

function faultLinks(isMeant) {
  return faults
    .filter(isMeant)
    .map(({ id }) => `[${id}](faults.md#${id})`)
    .join(', ');
}
