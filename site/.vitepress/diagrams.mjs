import { instance } from '@viz-js/viz';

const graphviz = await instance();

/** Draws blocks of Mermaid, which hosts of Git draw by themselves, when the site is built: no page loads a program for it. */
export function withDiagrams(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    const before = tokens
      .slice(0, index)
      .findLast(({ type }, at) => type === 'inline' && tokens[at - 1]?.type === 'heading_open');
    const svg = graphviz.renderString(dotOf(content), { format: 'svg' }).replace(/^[\s\S]*?(?=<svg)/, '');
    const label = md.utils.escapeHtml(`Picture: ${before?.content ?? ''}`);
    return `<figure class="diagram" tabindex="0" role="img" aria-label="${label}" v-pre>${svg}</figure>\n`;
  };
}

/**
 * The part of Mermaid's flowcharts that the pages use, as Graphviz has it: nodes with a text in [""] or [[""]], edges with or without a
 * text, subgraphs and edges between those. Throws at any other line.
 * Source: mermaid.js.org/syntax/flowchart.html, graphviz.org/doc/info/lang.html
 */
export function dotOf(mermaid) {
  const [first = '', ...lines] = mermaid
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const [, direction] = /^flowchart (LR|TB)$/.exec(first) ?? unknown(first);
  const members = firstMembers(lines);
  return [
    'digraph {',
    `rankdir=${direction}; compound=true; bgcolor=transparent; nodesep=0.3; ranksep=0.4; fontname="Arial"; fontsize=12`,
    'node [shape=box, fontname="Arial", fontsize=12, height=0.4, margin="0.3,0.05"]',
    'edge [fontname="Arial", fontsize=11, arrowsize=0.7]',
    ...lines.map((line) => dotLine(line, members) ?? unknown(line)),
    '}',
  ].join('\n');
}

/** Of each subgraph its first node, at which Graphviz has the edges of the whole begin and end. */
function firstMembers(lines) {
  const ids = lines.flatMap((line, index) => {
    const id = /^subgraph (\w+)\[/.exec(line)?.[1];
    const node = lines.slice(index).find((each) => /^\w+\[/.test(each));
    return id === undefined || node === undefined ? [] : [[id, node.split('[')[0]]];
  });
  return new Map(ids);
}

const label = String.raw`"([^"]*)"`;

const arrow = '(?:-- "[^"]*" )?-->';

const forms = [
  [/^$/, () => ''],
  [/^end$/, () => '}'],
  // Beside each other in a flow that goes down.
  [/^direction LR$/, () => 'rank=same'],
  [/^direction TB$/, () => ''],
  [
    new RegExp(`^subgraph (\\w+)\\[${label}\\]$`),
    (_, id, text) => `subgraph cluster_${id} { label="${text.trim()}"`,
  ],
  [
    new RegExp(`^(\\w+)\\[\\[${label}\\]\\]$`),
    (_, id, text) => `"${id}" [label="${dotText(text)}", peripheries=2]`,
  ],
  [new RegExp(`^(\\w+)\\[${label}\\]$`), (_, id, text) => `"${id}" [label="${dotText(text)}"]`],
  [new RegExp(String.raw`^(\w+(?: ${arrow} \w+)+)$`), (members, line) => edges(members, line)],
];

function dotLine(line, members) {
  for (const [pattern, write] of forms) {
    const found = pattern.exec(line);
    if (found) return write(members, ...found.slice(1));
  }
  return undefined;
}

/** The edges of a chain: `a --> b -- "text" --> c`. */
function edges(members, chain) {
  const links = [...chain.matchAll(/ (?:-- "([^"]*)" )?--> (\w+)/g)];
  const nodes = [chain.split(' ', 1)[0], ...links.map(([, , to]) => to)];
  return links.map(([, text = '', to], index) => edge(members, nodes[index], to, text)).join('\n');
}

function edge(members, from, to, text) {
  const tail = members.has(from) ? ` ltail=cluster_${from}` : '';
  const head = members.has(to) ? ` lhead=cluster_${to}` : '';
  return `"${members.get(from) ?? from}" -> "${members.get(to) ?? to}" [label="${dotText(text)}"${tail}${head}]`;
}

function dotText(text) {
  return text.replaceAll('<br>', String.raw`\n`);
}

function unknown(line) {
  throw new Error(`a diagram has a line that is not drawn: ${line}`);
}
