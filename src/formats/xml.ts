/** An XML element. Undefined attributes and children are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly contents: string | readonly XmlElement[];
}

/** An element with children. */
export function element(
  name: string,
  attributes: XmlElement['attributes'],
  ...children: readonly (XmlElement | undefined)[]
): XmlElement {
  return { name, attributes, contents: children.filter((child) => child !== undefined) };
}

/** An element with text. */
export function textElement(
  name: string,
  text: string | number,
  attributes: XmlElement['attributes'] = {},
): XmlElement {
  return { name, attributes, contents: String(text) };
}

/** Serializes an element with two blanks of indentation per level and a final line break. */
export function xmlText(root: XmlElement, indent = ''): string {
  const { name, attributes, contents } = root;
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}='${escaped(String(value))}'`],
  );
  const start = `${indent}<${name}${written.join('')}`;
  if (typeof contents === 'string') return `${start}>${escaped(contents)}</${name}>\n`;
  if (contents.length === 0) return `${start}/>\n`;
  const children = contents.map((child) => xmlText(child, `${indent}  `)).join('');
  return `${start}>\n${children}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>']/g, (character) => entities[character] ?? character);
}
