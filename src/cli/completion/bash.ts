import { optionTracking, type CommandLevel, type Values } from './command-line.js';

/**
 * Completion script for bash, including version 3.2 of macOS: no mapfile, compopt or associative arrays. Without a candidate,
 * bash completes file names.
 */
export function bashScript(levels: readonly CommandLevel[]): string {
  return `_sno_install() {
  local word option="" path="" words="" i
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # bash parts a word at "=".
    if [[ $word == "=" ]]; then continue; fi
${optionTracking(levels, 'path="${path:+$path }$word"')}
  done
  if [[ $current == "=" ]]; then current=""; fi
  if [[ -n $option ]]; then
    case "$path:$option" in
${values(levels).join('\n')}
    esac
  else
    case "$path" in
${levels.flatMap(following).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sno_install sno-install
`;
}

/** Only options follow an argument. */
function following({ path, subcommands, options, argument }: CommandLevel): readonly string[] {
  const at = path.join(' ');
  const names = options.map(({ name }) => name);
  const here = clause(`"${at}"`, [...subcommands, ...wordsOf(argument), ...names]);
  return argument === undefined ? [here] : [here, clause(`"${at} "*`, names)];
}

function values(levels: readonly CommandLevel[]): readonly string[] {
  return levels.flatMap(({ path, options, argument }) =>
    options.flatMap(({ name, values: allowed }) => {
      const words = wordsOf(allowed);
      if (words.length === 0) return [];
      const at = path.join(' ');
      const after = argument === undefined ? '' : ` | "${at} "*":${name}"`;
      return [clause(`"${at}:${name}"${after}`, words)];
    }),
  );
}

function clause(pattern: string, words: readonly string[]): string {
  return `      ${pattern}) words="${words.join(' ')}" ;;`;
}

function wordsOf(allowed: Values | undefined): readonly string[] {
  return allowed?.kind === 'words' ? allowed.words : [];
}
