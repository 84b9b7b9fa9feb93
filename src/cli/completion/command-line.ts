import type { Argument, Command, Option } from 'commander';

/** Allowed values of an option or argument. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'directory' }
  /** Free text, such as a name. */
  | { readonly kind: 'text' };

export interface CompletedOption {
  /** With leading dashes: `--dir`. */
  readonly name: string;
  readonly description: string;
  /** Undefined for a flag. */
  readonly values?: Values;
}

/** The candidates after a sequence of subcommands. */
export interface CommandLevel {
  /** Subcommand names, such as `create`; empty for the program itself. */
  readonly path: readonly string[];
  readonly subcommands: readonly string[];
  readonly options: readonly CompletedOption[];
  /** Undefined if it takes no argument. */
  readonly argument?: Values;
}

/** Extracts the levels from the command tree, so that completion scripts are always up to date. */
export function commandLevels(
  command: Command,
  words: ArgumentWords,
  path: readonly string[] = [],
): readonly CommandLevel[] {
  const [argument] = command.registeredArguments;
  const level: CommandLevel = {
    path,
    subcommands: command.commands.map((each) => each.name()),
    options: optionsOf(command),
    ...(argument && { argument: argumentValues(argument, words) }),
  };
  const deeper = command.commands.flatMap((each) => commandLevels(each, words, [...path, each.name()]));
  return [level, ...deeper];
}

/** Candidates for arguments by name, where the command tree does not contain them. */
export type ArgumentWords = Readonly<Record<string, readonly string[]>>;

/** Names of options that take a value, at any level. */
export function optionsWithValues(levels: readonly CommandLevel[]): readonly string[] {
  const all = levels.flatMap(({ options }) => options.flatMap(({ name, values }) => (values ? [name] : [])));
  return [...new Set(all)];
}

/**
 * Loop body in the common syntax of bash and zsh. It sets $option while the next word is the value of that option. `otherwise`
 * runs for a $word that is neither an option nor an option value.
 */
export function optionTracking(levels: readonly CommandLevel[], otherwise: string): string {
  return `    if [[ -n $option ]]; then option=""; continue; fi
    case "$word" in
      ${optionsWithValues(levels).join(' | ')}) option="$word" ;;
      -*) ;;
      *) ${otherwise} ;;
    esac`;
}

/** Own options first, then inherited ones that are not overridden. */
function optionsOf(command: Command): readonly CompletedOption[] {
  const own = command.options.flatMap(completed);
  const above = command.parent === null ? [help] : optionsOf(command.parent);
  const isOwn = new Set(own.map(({ name }) => name));
  // Only the program itself has `--version`.
  const inherited = above.filter(
    ({ name }) => !isOwn.has(name) && (name !== '--version' || command.parent === null),
  );
  return [...own, ...inherited];
}

const help: CompletedOption = { name: '--help', description: 'display help for command' };

function completed({ long, flags, description, argChoices }: Option): readonly CompletedOption[] {
  if (long == null) return [];
  const values = /[<[]/.test(flags) ? { values: valuesOf(flags, argChoices) } : {};
  return [{ name: long, description, ...values }];
}

function argumentValues(argument: Argument, words: ArgumentWords): Values {
  const name = argument.name();
  return valuesOf(`<${name}>`, argument.argChoices ?? words[name]);
}

/** Derives the kind of value from the placeholder in angle brackets. */
function valuesOf(flags: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { kind: 'words', words: choices };
  if (/[<[](?:file|bundle)/.test(flags)) return { kind: 'file' };
  return /[<[]dir/.test(flags) ? { kind: 'directory' } : { kind: 'text' };
}
