// What the built program makes of every example, compared between releases of Node.js.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const state = '.sno-install-state.json';
const configs = 'fixtures/configs';

/**
 * Makes every example with each release, by the keys that the first has drawn, and tells what differs: files that are not there, or
 * of other bytes. Returns how many files were compared, and how many differ.
 */
export function compareBytes([first, ...others]) {
  const scratch = mkdtempSync(join(tmpdir(), 'sno-node-versions-'));
  const counts = { files: 0, differences: 0 };
  try {
    for (const name of examples()) {
      const dir = made(first, name, join(scratch, first.name, name));
      for (const node of others) {
        const other = made(node, name, join(scratch, node.name, name), join(dir, state));
        count(counts, `${node.name}: ${name}`, filesIn(dir), filesIn(other));
        rmSync(other, { recursive: true });
      }
      rmSync(dir, { recursive: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return counts;
}

function examples() {
  return readdirSync(configs).filter((name) => statSync(join(configs, name)).isDirectory());
}

function made({ name, path }, example, dir, keys) {
  cpSync(join(configs, example), dir, { recursive: true });
  const target = example.startsWith('aio-') ? 'aio-ignition' : 'single-node-ignition-config';
  const command = ['dist/cli.js', 'create', target, '--dir', dir, ...(keys ? ['--state', keys] : [])];
  const { status, stderr } = spawnSync(path, command, { encoding: 'utf8' });
  if (status !== 0 || stderr.includes('Warning: '))
    throw new Error(`${name}: ${command.join(' ')} ended with ${status}\n${stderr}`);
  return dir;
}

/** Contents by path; the state file tells in what order a folder came to be, which is its own. */
function filesIn(dir) {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== state && statSync(join(dir, path)).isFile())
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(dir, path))]));
}

function count(counts, title, wanted, files) {
  for (const path of new Set([...wanted.keys(), ...files.keys()])) {
    counts.files += 1;
    const [one, other] = [wanted.get(path), files.get(path)];
    if (one !== undefined && other !== undefined && one.equals(other)) continue;
    counts.differences += 1;
    console.log(`${title}: ${path} differs`);
  }
}
