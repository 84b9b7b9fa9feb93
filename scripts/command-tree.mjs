// Commands of the program as the manual pages and docs/commands/ list them. Needs a build.
import { buildProgram } from '../.cache/modules/cli/program.js';

export const program = buildProgram(() => undefined);

/** Every command with an action below `command`, with its words after those of `path`. */
export function leavesBelow(command, path) {
  return command.commands.flatMap((each) => {
    const below = [...path, each.name()];
    return each.commands.length === 0 ? [{ command: each, path: below }] : leavesBelow(each, below);
  });
}

/** Options that `--help` lists. */
export function visibleOptions(command) {
  return command.options.filter(({ hidden }) => !hidden);
}

/** Lines of the help after the options: examples, exit codes. */
export function notesOf(command) {
  const written = [];
  command.emit('afterHelp', { error: false, command, write: (each) => written.push(each) });
  const lines = written.join('').trim();
  return lines === '' ? [] : lines.split('\n');
}
