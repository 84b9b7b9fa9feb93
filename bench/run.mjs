// Measures the command of the packed npm package together with its reference values. Prints tables; --write also updates
// bench/README.md. `npm run bench` measures the command for one site, `npm run bench -- fleet` fleets, or a part of it
// (fleet-workers, fleet-memory, fleet-store), `npm run bench -- serve` the media server (serve-throughput, serve-sites, serve-load), and
// `npm run bench -- pulls` the pulls of the live system.
import { readFileSync, writeFileSync } from 'node:fs';

import { figuresOfCommand } from './command.mjs';
import { memoryOfFleets, workersOfFleets } from './fleet.mjs';
import { storeOfFleets } from './fleet-store.mjs';
import { machine, tableOf } from './measuring.mjs';
import { timesOfPulls } from './pulls.mjs';
import { loadOfServe } from './serve-load.mjs';
import { sitesOfServe, throughputOfServe } from './serve.mjs';

const benches = {
  command: figuresOfCommand,
  'fleet-workers': workersOfFleets,
  'fleet-memory': memoryOfFleets,
  'fleet-store': storeOfFleets,
  'serve-throughput': throughputOfServe,
  'serve-sites': sitesOfServe,
  'serve-load': loadOfServe,
  pulls: timesOfPulls,
};

const words = process.argv.slice(2);
const [subject = 'command'] = words.filter((word) => !word.startsWith('--'));
const meant = Object.keys(benches).filter((name) => name === subject || name.startsWith(`${subject}-`));
if (meant.length === 0) throw new Error(`unknown benchmark; benchmarks: ${Object.keys(benches).join(', ')}`);

for (const name of meant) {
  const before = machine();
  const table = tableOf(before, await benches[name](words));
  console.log(`${table}\n`);
  if (words.includes('--write')) writeFigures(name, table);
}

function writeFigures(name, figures) {
  const path = 'bench/README.md';
  const mark = `<!-- figures: ${name} -->`;
  const [head, , tail] = readFileSync(path, 'utf8').split(mark);
  writeFileSync(path, `${head}${mark}\n\n${figures}\n\n${mark}${tail}`);
}
