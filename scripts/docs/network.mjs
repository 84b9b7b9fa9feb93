// Table of docs/network.md: nmstate features that `network` of sno-config.yaml does not support.
import { format } from 'prettier';

import { refusedNetworkFields } from '../../.cache/modules/config/schema/refused-network-fields.js';

const begin = '<!-- refused: made by `npm run docs` from src/config/schema/refused-network-fields.ts -->';
const end = '<!-- end of refused -->';

/** The document with a regenerated table. */
export async function networkDocument(text) {
  const [before, rest] = text.split(begin);
  const after = rest.split(end)[1];
  return format(`${before}${begin}\n\n${table()}\n\n${end}${after}`, { parser: 'markdown', printWidth: 140 });
}

function table() {
  const rows = new Map();
  for (const [place, instead] of Object.entries(refusedNetworkFields)) {
    const [, where, what] = /^(.*?)[.=]?([^.=]+(?:\.1x)?)$/.exec(place.replace('802.1x', '802․1x'));
    const isValue = place.includes('=');
    const key = JSON.stringify([isValue ? `${where}:` : where, instead]);
    rows.set(key, [...(rows.get(key) ?? []), `\`${what.replace('․', '.')}\``]);
  }
  const lines = [...rows].map(([key, names]) => {
    const [where, instead] = JSON.parse(key);
    return `| ${where === '' ? 'top level' : `\`${where}\``} | ${names.join(', ')} | ${instead} |`;
  });
  return ['| parent | field | replacement |', '| --- | --- | --- |', ...lines].join('\n');
}
