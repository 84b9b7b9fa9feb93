import type { Command } from 'commander';

/** The commands below one that do something themselves. */
export function leafCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => (each.commands.length === 0 ? [each] : leafCommands(each)));
}

/** The words of a command's name behind that of the program. */
export function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
