import type { Sheet } from './sheet.js';
import { rowLines } from './show-sheet.js';

/** Limit for interfaces in the short form. */
const shownInterfaces = 2;

/** The decisive facts in at most 8 lines, and 2 for the BMC of a fleet's site: BMC, machine, disk, network, release and expiry. */
export function shortSheetLines(sheet: Sheet, now: Date): readonly string[] {
  const valuesOf = (name: string): readonly string[] =>
    sheet.flatMap(({ rows }) => rows.filter((row) => row.name === name).flatMap(({ values }) => values));
  const [hostname] = valuesOf('hostname');
  const [domain] = valuesOf('cluster');
  const machine = [
    domain,
    hostname === undefined ? undefined : `host name ${hostname}`,
    ...valuesOf('architecture'),
  ];
  const disk = valuesOf('erased-disk');
  const kept = valuesOf('kept-partitions').filter((each) => /^(?:label|number) /.test(each));
  const [deadline] = [...valuesOf('boot-before'), ...valuesOf('first-expiry')];
  const lines: readonly (readonly [label: string, values: readonly string[]])[] = [
    ['BMC', valuesOf('bmc-address')],
    ['Machine', machine.filter((each) => each !== undefined)],
    ['Erases', [...disk, ...(kept.length === 0 ? [] : [`keeps ${kept.join(' and ')}`])]],
    ['Network', networkValues(sheet)],
    ['Release', valuesOf('release').map(shortDigest)],
    ['Boot before', deadline === undefined ? [] : [deadline]],
  ];
  return lines
    .filter(([, values]) => values.length > 0)
    .flatMap(([label, values]) => limited(rowLines({ label, values }, now)));
}

/** Lines per label, so that five labels fit in 8 lines. */
const linesOfLabel = 2;

function limited(lines: readonly string[]): readonly string[] {
  return lines.length <= linesOfLabel
    ? lines
    : [...lines.slice(0, linesOfLabel - 1), `${lines[linesOfLabel - 1] ?? ''} …`];
}

/** The interfaces with addresses, then the gateway. */
function networkValues(sheet: Sheet): readonly string[] {
  const rows = sheet.flatMap(({ name, rows }) => (name === 'network' ? rows : []));
  const interfaces = rows.filter(({ name }) => name === 'interface');
  const addressed = interfaces.filter(({ values }) =>
    values.some((value) => /[.:].*\/\d+$|DHCP|automatic/.test(value)),
  );
  const gateways = rows.flatMap(({ name, values }) => (name === 'gateway' ? values : []));
  const left = addressed.length - shownInterfaces;
  return [
    ...addressed
      .slice(0, shownInterfaces)
      .map(({ label, values }) =>
        label === 'Interfaces' ? values.join(' ') : `${label} ${values.join(' ')}`,
      ),
    ...(left > 0 ? [`${left} more`] : []),
    ...(gateways.length === 0 ? [] : [`gateway ${gateways.join(' and ')}`]),
  ];
}

/** The first 12 digits of a digest, as container tools print it. */
function shortDigest(image: string): string {
  return image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]{52}\b/, '$1…');
}
