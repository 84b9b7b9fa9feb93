import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect } from 'vitest';

/** A block of commands in a page, and the output that the page shows for it. */
export interface PageBlock {
  /** The location: the heading above it, and its first line. */
  readonly title: string;
  /** The text of the comment before the block. */
  readonly mark: string;
  readonly commands: string;
  /** Empty if the commands print nothing. */
  readonly shown: string;
}

const block = /(?:<!-- ([^\n]*) -->\n\n)?```(\w+)\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```\n)?/g;

/**
 * The blocks of commands (`sh`) of a page in their order, each with the output (`text`) right below it. A file that the reader saves
 * (`<!-- save: PATH -->`) or adds lines to (`<!-- add to: PATH -->`) is a block of the command that writes it.
 */
export function pageBlocks(page: string): readonly PageBlock[] {
  return [...page.matchAll(block)].flatMap(
    ({ index, 1: mark = '', 2: language = '', 3: text = '', 4: shown = '' }) => {
      const heading = [...page.slice(0, index).matchAll(/^## (.*)$/gm)].at(-1)?.[1] ?? '';
      const [, verb, path = ''] = /^(save|add to): (\S+)$/.exec(mark) ?? [];
      if (verb !== undefined) {
        const commands = `cat ${verb === 'save' ? '>' : '>>'} ${path} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
        return [{ title: `${heading}: ${mark}`, mark: '', commands, shown }];
      }
      if (language !== 'sh') return [];
      return [{ title: `${heading}: ${text.split('\n')[0] ?? ''}`, mark, commands: text, shown }];
    },
  );
}

/** The working directory and home of the commands of a page. */
export interface PageFolder {
  readonly folder: string;
  readonly home: string;
}

/** Creates an empty folder and a separate home. */
export function pageFolder(parent: string): PageFolder {
  const [folder, home] = [join(parent, 'empty'), join(parent, 'home')];
  for (const path of [folder, home]) mkdirSync(path);
  return { folder, home };
}

/** The environment of the commands: the built command is on the PATH, and Git has an identity. */
function pageEnvironment(home: string): NodeJS.ProcessEnv {
  const people = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'a'] as const,
    [`GIT_${who}_EMAIL`, 'a@example.com'] as const,
  ]);
  const path = `${folderWithCommand()}:${process.env['PATH'] ?? ''}`;
  return { ...Object.fromEntries(people), PATH: path, HOME: home, LC_ALL: 'C.UTF-8' };
}

/** The terminal output of commands. `before` is a command prefix that runs the shell. */
export function terminalOutput(
  commands: string,
  { folder, home }: PageFolder,
  before: readonly string[] = [],
): string {
  const [program, ...args] = [...before, 'bash', '-c', `exec 2>&1\n${commands}`];
  return spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: pageEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;
}

/** A shell that stays open for all blocks of a page. */
export interface PageShell {
  /** The terminal output of a block. `before` is a command prefix that runs the block in a shell of its own. */
  readonly run: (commands: string, before?: readonly string[]) => Promise<string>;
  readonly end: () => void;
}

/**
 * Starts a shell that reads blocks on its input, as if a person pasted them: the working directory, variables and background jobs of a
 * block carry over to the next, and `!` expands history as on a terminal.
 */
export function startPageShell({ folder, home }: PageFolder): PageShell {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: pageEnvironment(home) });
  shell.stdin.write('exec 2>&1\nset -o history -o histexpand\n');
  const end = '=== the block ended ===';
  let output = '';
  let settle = (): void => undefined;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    settle();
  });
  const closed = new Promise<never>((_resolve, reject) => {
    shell.on('close', () => {
      reject(new Error(`the shell ended: ${output}`));
    });
  });
  closed.catch(() => undefined);

  const run: PageShell['run'] = async (commands, before = []) => {
    output = '';
    const printed = new Promise<string>((resolve) => {
      settle = () => {
        const at = output.indexOf(`${end}\n`);
        if (at !== -1) resolve(output.slice(0, at));
      };
    });
    const pasted = before.length === 0 ? commands : `${before.join(' ')} bash <<'BLOCK'\n${commands}BLOCK\n`;
    shell.stdin.write(`${pasted}echo '${end}'\n`);
    return Promise.race([printed, closed]);
  };
  return {
    run,
    end: () => {
      shell.kill();
    },
  };
}

/** Programs that a page has to list if its commands run them. */
const listedPrograms =
  /(?<=^|[|&(] *|\$\(|sudo |exec )(age-keygen|coreos-installer|curl|dnsmasq|git|jq|kubectl|oc|openshift-install|openssl|perl|podman|qemu-img|qemu-system-x86_64|ssh|ssh-keygen|scp)\b/gm;

/** The programs in the commands of a page that its section of prerequisites does not name. */
export function unlistedPrograms(page: string, section: string): readonly string[] {
  const [, needs = ''] = page.split(`## ${section}\n`);
  const [text = ''] = needs.split('\n## ');
  const used = pageBlocks(page).flatMap(({ commands }) => commands.match(listedPrograms) ?? []);
  return [...new Set(used)].filter((program) => !text.includes(`\`${program}\``)).toSorted();
}

/**
 * Compares the output of the commands with the page. UPDATE_GOLDEN=1 rewrites the page if more than dates, keys and sizes differ, unless
 * the page omits lines.
 */
export function expectShown(path: string, block: PageBlock, output: string): void {
  const [printed, masked] = [maskVariableParts(output), maskVariableParts(block.shown)];
  if (process.env['UPDATE_GOLDEN'] === '1' && printed !== masked && !gap.test(block.shown))
    writeShown(path, block, output);
  expect(printed).toBe(filledIn(masked, printed));
}

/** Masks the parts that differ between runs: dates, keys, and sizes that depend on them. */
function maskVariableParts(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'DATE')
    .replace(/age1[0-9a-z]{58}/g, 'RECIPIENT')
    .replace(/DATE([( ]+)\d+ days left/g, 'DATE$1DAYS left')
    .replace(/(key [\w-]+|rsa-\d+|ecdsa-p\d+) [0-9a-f]{8}/g, '$1 KEY')
    .replace(/[\d.]+ kB/g, 'SIZE kB')
    .replace(/(config: )\d+ of/g, '$1SIZE of');
}

const gap = /^…\n/m;

/** Replaces each `…` line of the shown text with the output lines that it omits, as far as they match. */
function filledIn(shown: string, output: string): string {
  const parts = shown.split(gap);
  if (parts.length === 1) return shown;
  let filled = '';
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const at = isLast && part === '' ? output.length : output.indexOf(part, filled.length);
    if (at === -1 || (index === 0 && at > 0)) return shown;
    filled = output.slice(0, at) + part;
  }
  return filled;
}

/** A folder that contains the command under its installed name. */
export function folderWithCommand(): string {
  const folder = resolve('.cache/readme-bin');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'sno-install');
  if (!existsSync(path)) symlinkSync(resolve('dist/cli.js'), path);
  writeFileSync(join(folder, 'README'), 'The command under its own name, for the tests of pages.\n');
  return folder;
}

/** Updates the output of a block in its page. */
function writeShown(path: string, { commands, shown }: PageBlock, output: string): void {
  const text = readFileSync(path, 'utf8');
  const [before, after] = [shown, output].map((lines) => `${commands}\`\`\`\n\n\`\`\`text\n${lines}\`\`\`\n`);
  writeFileSync(
    path,
    text.replace(before ?? '', () => after ?? ''),
  );
}
