// Tables of docs/import.md (mapping of every field of other installers) and of the variables in docs/fleet.md.
import { format } from 'prettier';

import { instanceVariables } from '../../.cache/modules/import/resources/instance-values.js';
import { agentFields, hostFields } from '../../.cache/modules/import/agent-config/agent-fields.js';
import { clusterFields, nodeFields } from '../../.cache/modules/import/cluster-instance/instance-fields.js';

const tables = {
  agent: [agentFields, 'src/import/agent-config/agent-fields.ts'],
  host: [hostFields, 'src/import/agent-config/agent-fields.ts'],
  cluster: [clusterFields, 'src/import/cluster-instance/instance-fields.ts'],
  node: [nodeFields, 'src/import/cluster-instance/instance-fields.ts'],
};

/** The document with regenerated tables. */
export async function importDocument(text) {
  const made = Object.entries(tables).map(([name, [rows, source]]) => [name, table(rows), source]);
  return filled(text, made);
}

/** docs/fleet.md with a regenerated table of ClusterInstance variables. */
export async function instanceVariablesDocument(text) {
  const lines = Object.entries(instanceVariables).map(([name, what]) => `| \`${name}\` | ${what} |`);
  const rows = ['| variable | value |', '| --- | --- |', ...lines].join('\n');
  return filled(text, [['variables', rows, 'src/import/resources/instance-values.ts']]);
}

async function filled(text, made) {
  const page = made.reduce((page, [name, rows, source]) => {
    const begin = `<!-- ${name}: made by \`npm run docs\` from ${source} -->`;
    const end = `<!-- end of ${name} -->`;
    const [before, rest] = page.split(begin);
    return `${before}${begin}\n\n${rows}\n\n${end}${rest.split(end)[1]}`;
  }, text);
  return format(page, { parser: 'markdown', printWidth: 140 });
}

function table(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(
      'to' in row
        ? ['imported', row.to]
        : 'hint' in row
          ? ['not imported', row.hint]
          : ['not needed', row.needless],
    );
    groups.set(key, [...(groups.get(key) ?? []), `\`${row.field}\``]);
  }
  const lines = [...groups].map(([key, names]) => `| ${names.join(', ')} | ${JSON.parse(key).join(' | ')} |`);
  return ['| field | result | target or reason |', '| --- | --- | --- |', ...lines].join('\n');
}
