import { referenceOfBootFlow } from './reference.mjs';

const begin = '<!-- generated: reference -->';
const end = '<!-- end of generated -->';

/** docs/boot-flow.md: what is written by hand, with the reference made anew. */
export function bootFlowDocument(text) {
  const [before, , after] = text.split(new RegExp(`(?<=${begin}\n)([^]*)(?=${end}\n)`));
  if (after === undefined) throw new Error(`docs/boot-flow.md has no ${begin} … ${end}`);
  // Prettier would pad the tables to the width of their longest cell.
  const kept = `<!-- prettier-ignore-start -->\n\n${referenceOfBootFlow()}\n\n<!-- prettier-ignore-end -->`;
  return `${before}\n${kept}\n\n${after}`;
}
