import { byKey } from '../../core/compare.js';

/** A NetworkManager profile. */
export interface Keyfile {
  /** File name, such as `eno1.nmconnection`. */
  readonly name: string;
  readonly text: string;
}

/** A `[name]` section. Undefined values and empty strings are left out. */
export interface KeyfileSection {
  readonly name: string;
  readonly values: Readonly<Record<string, KeyfileValue | undefined>>;
}

/** List items are separated by semicolons. */
export type KeyfileValue = string | number | boolean | readonly string[];

/** Writes sections and keys in the order given. Source: nm-settings-keyfile(5); the order is that of `nmstatectl gc`. */
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
