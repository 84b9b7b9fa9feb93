import { optionTracking, type CommandLevel, type Values } from './command-line.js';

/**
 * Completion script for zsh: either a file `_sno-install` in an fpath folder, which completes from its first use, or a file to
 * source. Source: zshcompsys(1), "Autoloaded files".
 */
export function zshScript(levels: readonly CommandLevel[]): string {
  return `#compdef sno-install
_sno-install() {
  local word option=""
  local -a given
  for word in \${words[2,CURRENT-1]}; do
${optionTracking(levels, 'given+=("$word")')}
  done
  if [[ -z $option && $PREFIX == --*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    case "$given:$option" in
${levels.flatMap(valueClauses).join('\n')}
      *) _message 'a value' ;;
    esac
    return
  fi
  case "$given" in
${levels.flatMap(following).join('\n')}
  esac
}
if [[ $funcstack[1] == _sno-install ]]; then
  _sno-install "$@"
else
  compdef _sno-install sno-install
fi
`;
}

/** Only options follow an argument. */
function following({ path, subcommands, options, argument }: CommandLevel): readonly string[] {
  const at = path.join(' ');
  const names = options.map(({ name }) => name);
  const words = [...subcommands, ...(argument?.kind === 'words' ? argument.words : []), ...names];
  const isPath = argument?.kind === 'file' || argument?.kind === 'directory';
  const here = `    "${at}") compadd -- ${words.join(' ')}${isPath ? `; ${actionOf(argument)}` : ''} ;;`;
  return argument === undefined ? [here] : [here, `    "${at} "*) compadd -- ${names.join(' ')} ;;`];
}

function valueClauses({ path, options, argument }: CommandLevel): readonly string[] {
  const at = path.join(' ');
  return options.flatMap(({ name, values }) => {
    if (values === undefined || values.kind === 'text') return [];
    const after = argument === undefined ? '' : ` | "${at} "*":${name}"`;
    return [`      "${at}:${name}"${after}) ${actionOf(values)} ;;`];
  });
}

function actionOf(values: Exclude<Values, { readonly kind: 'text' }>): string {
  switch (values.kind) {
    case 'words':
      return `compadd -- ${values.words.join(' ')}`;
    case 'file':
      return '_files';
    case 'directory':
      return '_files -/';
  }
}
