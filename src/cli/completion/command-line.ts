import type { Argument, Command, Option } from 'commander';

/** What may stand after an option, or as an argument. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'directory' }
  /** Something that only the user knows, such as a name. */
  | { readonly kind: 'text' };

/** An option as completion scripts offer it. */
export interface CompletedOption {
  /** With its dashes: `--dir`. */
  readonly name: string;
  readonly description: string;
  /** What its value may be; undefined for one that takes none. */
  readonly values?: Values;
}

/** What may follow a sequence of subcommands. */
export interface Level {
  /** Subcommand names up to here, such as `create`; none for the command itself. */
  readonly path: readonly string[];
  readonly subcommands: readonly string[];
  readonly options: readonly CompletedOption[];
  /** What its argument may be; undefined where it takes none. */
  readonly argument?: Values;
}

/** The command line as completion scripts need it, made from the command tree, so that they never lag behind it. */
export function levelsOf(
  command: Command,
  words: ArgumentWords,
  path: readonly string[] = [],
): readonly Level[] {
  const [argument] = command.registeredArguments;
  const level: Level = {
    path,
    subcommands: command.commands.map((each) => each.name()),
    options: optionsOf(command),
    ...(argument && { argument: argumentValues(argument, words) }),
  };
  const deeper = command.commands.flatMap((each) => levelsOf(each, words, [...path, each.name()]));
  return [level, ...deeper];
}

/** Words for arguments by name, for those whose values the command tree does not hold. */
export type ArgumentWords = Readonly<Record<string, readonly string[]>>;

/** Options whose next word is their value, wherever they stand. */
export function valueOptionsOf(levels: readonly Level[]): readonly string[] {
  const all = levels.flatMap(({ options }) => options.flatMap(({ name, values }) => (values ? [name] : [])));
  return [...new Set(all)];
}

/**
 * Lines of a loop over words, in what bash and zsh have in common, that leave the option whose value is next in $option;
 * `otherwise` is done with a $word that is neither an option nor the value of one.
 */
export function optionTracking(levels: readonly Level[], otherwise: string): string {
  return `    if [[ -n $option ]]; then option=""; continue; fi
    case "$word" in
      ${valueOptionsOf(levels).join(' | ')}) option="$word" ;;
      -*) ;;
      *) ${otherwise} ;;
    esac`;
}

/** Its own options and those of the commands above it; one of the same name goes first. */
function optionsOf(command: Command): readonly CompletedOption[] {
  const own = command.options.flatMap(completed);
  const above = command.parent === null ? [help] : optionsOf(command.parent);
  const isOwn = new Set(own.map(({ name }) => name));
  // The version is asked of the command itself alone.
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

/** What stands in the angle brackets says what is wanted. */
function valuesOf(flags: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { kind: 'words', words: choices };
  if (/[<[](?:file|bundle)/.test(flags)) return { kind: 'file' };
  return /[<[]dir/.test(flags) ? { kind: 'directory' } : { kind: 'text' };
}
