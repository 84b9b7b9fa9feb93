import type { Command } from 'commander';

/** The subcommands that have an action. */
export function leafCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => (each.commands.length === 0 ? [each] : leafCommands(each)));
}

/** The words of a command's name after the program name. */
export function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
