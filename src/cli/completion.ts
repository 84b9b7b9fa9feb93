import type { Command } from 'commander';

import { usageError } from './usage-error.js';

/** Prints a completion script made from the command tree, so that it never lags behind it. */
export function completion(shell: string, program: Command): void {
  const write = scripts[shell];
  if (write === undefined) {
    usageError(`there is no completion for \`${shell}\``, `shells are: ${Object.keys(scripts).join(', ')}`);
    return;
  }
  process.stdout.write(write(levelsOf(program, []), valueOptionsOf(program)));
}

/** What may follow a sequence of subcommands. */
interface Level {
  /** Subcommand names up to here, such as `create`. */
  readonly path: readonly string[];
  readonly words: readonly string[];
}

function levelsOf(command: Command, path: readonly string[]): readonly Level[] {
  const subcommands = command.commands.map((each) => each.name());
  const options = optionsOf(command);
  const deeper = command.commands.flatMap((each) => levelsOf(each, [...path, each.name()]));
  return [{ path, words: [...new Set([...subcommands, ...options])] }, ...deeper];
}

/** Options whose next word is their value and no subcommand, wherever they stand. */
function valueOptionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long, required }) => (long != null && required ? [long] : []));
  return [...new Set([...own, ...command.commands.flatMap(valueOptionsOf)])];
}

function optionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
  return command.parent === null ? [...own, '--help'] : [...own, ...optionsOf(command.parent)];
}

type Script = (levels: readonly Level[], valueOptions: readonly string[]) => string;

const scripts: Readonly<Record<string, Script>> = {
  bash: (levels, valueOptions) => `_sno_install() {
  local word path="" candidates="" is_value=0
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if ((is_value)); then is_value=0; continue; fi
    case "$word" in
      ${valueOptions.join(' | ')}) is_value=1 ;;
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${levels.map((level) => `    "${level.path.join(' ')}") candidates="${level.words.join(' ')}" ;;`).join('\n')}
  esac
  ((is_value)) && candidates=""
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -f -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o filenames -F _sno_install sno-install
`,
  zsh: (levels, valueOptions) => `#compdef sno-install
_sno_install() {
  local word is_value=0
  local -a given candidates
  for word in \${words[2,CURRENT-1]}; do
    if ((is_value)); then is_value=0; continue; fi
    case "$word" in
      ${valueOptions.join(' | ')}) is_value=1 ;;
      -*) ;;
      *) given+=("$word") ;;
    esac
  done
  case "$given" in
${levels.map((level) => `    "${level.path.join(' ')}") candidates=(${level.words.join(' ')}) ;;`).join('\n')}
  esac
  ((is_value)) || compadd -- $candidates
  _files
}
compdef _sno_install sno-install
`,
  fish: (levels) =>
    levels
      .map(({ path, words }) => {
        const given = `string match -qr -- '^${['sno-install', ...path].join(' +(-\\S+ +)*')} +(-\\S+ +)*$' "$(commandline -cp | string replace -r '\\S*$' '')"`;
        return `complete -c sno-install -n ${quoteFish(given)} -a '${words.join(' ')}'\n`;
      })
      .join(''),
};

function quoteFish(text: string): string {
  return `"${text.replace(/["$\\]/g, '\\$&')}"`;
}
