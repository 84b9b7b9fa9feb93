// Writes man/ and completion/ of the package: a man page per command, generated from `--help`, and a script per shell. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { leavesBelow, notesOf, program, visibleOptions } from './command-tree.mjs';

/** File names that shells expect. Source: bash-completion, zsh's fpath, fish's vendor_completions.d */
const scripts = {
  bash: 'sno-install',
  zsh: '_sno-install',
  fish: 'sno-install.fish',
  powershell: 'sno-install.ps1',
};

for (const folder of ['man', 'completion']) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}
for (const { name, text } of pages()) writeFileSync(join('man', `${name}.1`), text);
for (const [shell, file] of Object.entries(scripts)) {
  const { status, stdout } = spawnSync(process.execPath, ['dist/cli.js', 'completion', shell]);
  if (status !== 0) throw new Error(`no completion for ${shell}`);
  writeFileSync(join('completion', file), stdout);
}

/** A page for the program and for each command with an action: sno-install-create-manifests(1). */
function pages() {
  const main = { name: 'sno-install', text: page(program, [program.name()]) };
  return [
    main,
    ...leavesBelow(program, [program.name()]).map(({ command, path }) => ({
      name: path.join('-'),
      text: page(command, path),
    })),
  ];
}

function page(command, path) {
  const help = command.createHelp();
  const [first = ''] = command.description().split(/(?<=\.) /);
  const globals = [...ancestors(command)].flatMap(visibleOptions).filter(({ long }) => long !== '--version');
  return [
    `.TH ${word(path.join('-').toUpperCase())} 1 "" ${word(`sno-install ${versionOf(command)}`)} ${word('sno-install')}`,
    '.SH NAME',
    `${text(path.join('-'))} \\- ${text(first.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `.B ${text(path.join(' '))}`,
    text(command.commands.length > 0 ? '[options] command' : command.usage()),
    '.SH DESCRIPTION',
    text(command.description()),
    ...section('COMMANDS', leavesBelow(command, []), ({ command: each, path: words }) => [
      words.join(' '),
      each.description(),
    ]),
    ...section('ARGUMENTS', command.registeredArguments, (each) => [
      each.name(),
      help.argumentDescription(each),
    ]),
    ...section('OPTIONS', visibleOptions(command), (each) => [each.flags, help.optionDescription(each)]),
    ...section('GLOBAL OPTIONS', globals, (each) => [each.flags, help.optionDescription(each)]),
    ...notes(command),
    '.SH SEE ALSO',
    command.parent === null ? text('The folder docs in the package.') : '.BR sno\\-install (1)',
    '',
  ].join('\n');
}

function ancestors(command) {
  return command.parent === null ? [] : [command.parent, ...ancestors(command.parent)];
}

function versionOf(command) {
  return command.parent === null ? command.version() : versionOf(command.parent);
}

function section(title, entries, shown) {
  if (entries.length === 0) return [];
  const rows = entries.map(shown).flatMap(([term, words]) => ['.TP', `.B ${text(term)}`, text(words)]);
  return [`.SH ${title}`, ...rows];
}

function notes(command) {
  const lines = notesOf(command);
  return lines.length === 0 ? [] : ['.SH NOTES', '.nf', ...lines.map(text), '.fi'];
}

/** Escapes a line for roff: backslashes, hyphens, non-ASCII characters, and a leading dot or quote. Source: groff(7) */
function text(words) {
  const escaped = words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\0-\x7f]/gu, (character) => `\\[u${hex(character.codePointAt(0))}]`);
  return escaped.replace(/^(?=[.'])/, '\\&');
}

function hex(number) {
  return number.toString(16).toUpperCase().padStart(4, '0');
}

function word(words) {
  return `"${text(words).replaceAll('"', '\\(dq')}"`;
}
