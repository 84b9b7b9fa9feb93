import { byKey } from '../../core/compare.js';

/** A profile of NetworkManager as a file. */
export interface Keyfile {
  /** Such as `eno1.nmconnection`. */
  readonly name: string;
  readonly text: string;
}

/** What stands below one `[name]`; what is undefined or an empty text is left out. */
export interface KeyfileSection {
  readonly name: string;
  readonly values: Readonly<Record<string, KeyfileValue | undefined>>;
}

/** Lists are written with a semicolon between their items. */
export type KeyfileValue = string | number | boolean | readonly string[];

/** The sections in the order given, the keys of each in theirs. Source: nm-settings-keyfile(5); the order is that of `nmstatectl gc`. */
export function keyfileText(sections: readonly KeyfileSection[]): string {
  return sections.map(sectionText).join('\n');
}

function sectionText({ name, values }: KeyfileSection): string {
  const lines = Object.entries(values)
    .toSorted(byKey)
    .flatMap(([key, value]) => {
      const text = value === undefined ? '' : valueText(value);
      return text === '' ? [] : [`${key}=${text}\n`];
    });
  return `[${name}]\n${lines.join('')}`;
}

function valueText(value: KeyfileValue): string {
  return typeof value === 'object' ? value.join(';') : String(value);
}
