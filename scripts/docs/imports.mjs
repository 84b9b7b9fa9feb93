// The tables of docs/import.md: what becomes of every field of other installers.
import { format } from 'prettier';

import { agentFields, hostFields } from '../../.cache/modules/imports/agent-config/agent-fields.js';
import { clusterFields, nodeFields } from '../../.cache/modules/imports/cluster-instance/instance-fields.js';

const tables = {
  agent: [agentFields, 'src/imports/agent-config/agent-fields.ts'],
  host: [hostFields, 'src/imports/agent-config/agent-fields.ts'],
  cluster: [clusterFields, 'src/imports/cluster-instance/instance-fields.ts'],
  node: [nodeFields, 'src/imports/cluster-instance/instance-fields.ts'],
};

/** The document with its tables made anew. */
export async function importDocument(text) {
  const filled = Object.entries(tables).reduce((page, [name, [rows, source]]) => {
    const begin = `<!-- ${name}: made by \`npm run docs\` from ${source} -->`;
    const end = `<!-- end of ${name} -->`;
    const [before, rest] = page.split(begin);
    return `${before}${begin}\n\n${table(rows)}\n\n${end}${rest.split(end)[1]}`;
  }, text);
  return format(filled, { parser: 'markdown', printWidth: 140 });
}

function table(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(
      'to' in row
        ? ['goes to', row.to]
        : 'hint' in row
          ? ['is listed', row.hint]
          : ['is not needed', row.needless],
    );
    groups.set(key, [...(groups.get(key) ?? []), `\`${row.field}\``]);
  }
  const lines = [...groups].map(([key, names]) => `| ${names.join(', ')} | ${JSON.parse(key).join(' | ')} |`);
  return ['| field | what becomes of it | where, or why |', '| --- | --- | --- |', ...lines].join('\n');
}
