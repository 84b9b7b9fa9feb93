import type { Command } from 'commander';

import { usageError } from './usage-error.js';

/** Prints a completion script made from the command tree, so that it never lags behind it. */
export function completion(shell: string, program: Command): void {
  const write = scripts[shell];
  if (write === undefined) {
    usageError(`there is no completion for \`${shell}\``, `shells are: ${Object.keys(scripts).join(', ')}`);
    return;
  }
  process.stdout.write(write(levelsOf(program, [])));
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
  return [{ path, words: [...subcommands, ...options] }, ...deeper];
}

function optionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
  return command.parent === null ? [...own, '--help'] : [...own, ...optionsOf(command.parent)];
}

const scripts: Readonly<Record<string, (levels: readonly Level[]) => string>> = {
  bash: (levels) => `_sno_install() {
  local word path="" candidates=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${levels.map((level) => `    "${level.path.join(' ')}") candidates="${level.words.join(' ')}" ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -f -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o filenames -F _sno_install sno-install
`,
  zsh: (levels) => `#compdef sno-install
_sno_install() {
  local -a given candidates
  given=(\${(@)words[2,CURRENT-1]:#-*})
  case "$given" in
${levels.map((level) => `    "${level.path.join(' ')}") candidates=(${level.words.join(' ')}) ;;`).join('\n')}
  esac
  compadd -- $candidates
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
