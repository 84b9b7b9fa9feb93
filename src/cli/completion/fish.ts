import { optionsWithValues, type CompletedOption, type CommandLevel } from './command-line.js';

/** Completion script for fish, to be saved as `sno-install.fish` in its completions folder. Source: fish-shell complete(1) */
export function fishScript(levels: readonly CommandLevel[]): string {
  return `# Whether the words so far are these subcommands, with what follows them if the first argument says "in".
function __sno_install_words
    set -l given
    set -l is_value 0
    for word in (commandline -opc)[2..-1]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $word
            case ${optionsWithValues(levels).join(' ')}
                set is_value 1
            case '-*'
            case '*'
                set -a given $word
        end
    end
    set -l wanted $argv[2..-1]
    if test $argv[1] = in; and set -q wanted[1]
        set given $given[1..(count $wanted)]
    end
    test "$given" = "$wanted"
end
complete -c sno-install -f
${levels.flatMap(linesOf).join('\n')}
`;
}

function linesOf(level: CommandLevel): readonly string[] {
  const { path, subcommands, options, argument } = level;
  const words = [...subcommands, ...(argument?.kind === 'words' ? argument.words : [])];
  const isPath = argument?.kind === 'file' || argument?.kind === 'directory';
  return [
    ...(words.length === 0 ? [] : [`${atLevel('at', path)} -a '${words.join(' ')}'`]),
    ...(isPath ? [`${atLevel('at', path)} -F`] : []),
    ...options.map((option) => optionLine(option, level)),
  ];
}

function optionLine(
  { name, description, values }: CompletedOption,
  { path, argument }: CommandLevel,
): string {
  const value = {
    none: '',
    text: ' -x',
    words: ` -x -a '${values?.kind === 'words' ? values.words.join(' ') : ''}'`,
    file: ' -r -F',
    directory: ` -x -a '(__fish_complete_directories)'`,
  }[values?.kind ?? 'none'];
  const where = atLevel(argument === undefined ? 'at' : 'in', path);
  return `${where} -l ${name.slice(2)}${value} -d '${description.replace(/['\\]/g, '\\$&')}'`;
}

function atLevel(how: 'at' | 'in', path: readonly string[]): string {
  return `complete -c sno-install -n '__sno_install_words ${[how, ...path].join(' ')}'`;
}
