import { referenceOfBootFlow } from './reference.mjs';

const begin = '<!-- generated: reference -->';
const end = '<!-- end of generated -->';

/** docs/boot-flow.md: handwritten text with a regenerated reference. */
export function bootFlowDocument(text) {
  const [before, , after] = text.split(new RegExp(`(?<=${begin}\n)([^]*)(?=${end}\n)`));
  if (after === undefined) throw new Error(`docs/boot-flow.md does not contain ${begin} … ${end}`);
  // Without this, Prettier pads tables to the width of the longest cell.
  const kept = `<!-- prettier-ignore-start -->\n\n${referenceOfBootFlow()}\n\n<!-- prettier-ignore-end -->`;
  return `${before}\n${kept}\n\n${after}`;
}
