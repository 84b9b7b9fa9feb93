import { floors } from '../rooms.mjs';
import { idOf } from './mermaid.mjs';

const begin = '<!-- rooms: made by `npm run docs` from scripts/rooms.mjs -->';
const end = '<!-- end of rooms -->';

/** docs/architecture.md with its picture and table of rooms made anew; the rest of the text stays. */
export function architectureDocument(text = '') {
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`docs/architecture.md lacks the lines ${begin} and ${end}`);
  return [head, begin, '\n\n', picture(), '\n\n', table(), '\n\n', end, tail].join('');
}

/** The highest floor first; an arrow means that a floor may import from the one it points at, and from all below. */
function picture() {
  const fromTheTop = [...floors].reverse();
  const nodes = fromTheTop.map((floor, index) => {
    const rooms = floor.map(({ room }) => `    ${idOf(room)}["${room}"]`);
    return [`  subgraph f${index}[" "]`, '    direction LR', ...rooms, '  end'].join('\n');
  });
  const arrows = fromTheTop.slice(1).map((_floor, index) => `  f${index} --> f${index + 1}`);
  return ['```mermaid', 'flowchart TB', ...nodes, ...arrows, '```'].join('\n');
}

function table() {
  const rows = [...floors]
    .reverse()
    .flatMap((floor) => floor.map(({ room, holds }) => [`\`${room}\``, holds]));
  const width = (column) => Math.max(...[['room', 'holds'], ...rows].map((row) => row[column].length));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(width(column))).join(' | ')} |`;
  return [
    line(['room', 'holds']),
    line([0, 1].map((column) => '-'.repeat(width(column)))),
    ...rows.map(line),
  ].join('\n');
}
