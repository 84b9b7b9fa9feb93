import { optionsWithValues, type CommandLevel } from './command-line.js';

/** Completion script for the PowerShell profile. Source: Microsoft.PowerShell.Core Register-ArgumentCompleter, -Native */
export function powershellScript(levels: readonly CommandLevel[]): string {
  return `Register-ArgumentCompleter -Native -CommandName 'sno-install' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $valueOptions = @(${listOf(optionsWithValues(levels))})
    $values = @{
${levels.flatMap(valueLines).join('\n')}
    }
    $following = @{
${levels.map(followingLine).join('\n')}
    }
    $path = @()
    $option = ''
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    foreach ($word in $words) {
        if ($option) { $option = ''; continue }
        if ($valueOptions -contains $word) { $option = $word; continue }
        if (-not $word.StartsWith('-')) { $path += $word }
    }
    $at = $path -join ' '
    if ($option) {
        $candidates = $values["$at\`:$option"]
    } else {
        $candidates = $following[$at]
    }
    $candidates | Where-Object { $_ -and $_.StartsWith($wordToComplete) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`;
}

function valueLines({ path, options }: CommandLevel): readonly string[] {
  return options.flatMap(({ name, values }) =>
    values?.kind === 'words' ? [`        '${path.join(' ')}:${name}' = @(${listOf(values.words)})`] : [],
  );
}

function followingLine({ path, subcommands, options, argument }: CommandLevel): string {
  const words = [
    ...subcommands,
    ...(argument?.kind === 'words' ? argument.words : []),
    ...options.map(({ name }) => name),
  ];
  return `        '${path.join(' ')}' = @(${listOf(words)})`;
}

function listOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
