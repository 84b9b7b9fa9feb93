import type { Command } from 'commander';

import { faults } from '../analysis/faults/all-faults.js';
import { problemCatalog } from '../core/problem-codes/catalog.js';
import type { GlobalOptions } from './options.js';
import { maskedArgument } from '../core/quoted.js';
import { usageError } from './usage-error.js';
import { bashScript } from './completion/bash.js';
import { commandLevels, type CommandLevel } from './completion/command-line.js';
import { fishScript } from './completion/fish.js';
import { powershellScript } from './completion/powershell.js';
import { zshScript } from './completion/zsh.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Prints a completion script. */
export function completion(shell: string, program: Command, options: GlobalOptions): void {
  const known = shells.find((each) => each === shell);
  if (known === undefined) {
    usageError(
      options,
      `unknown shell \`${maskedArgument(shell)}\``,
      `supported shells: ${shells.join(', ')}`,
    );
    return;
  }
  const topic = [...Object.keys(problemCatalog), ...faults.map(({ id }) => id)];
  const levels = commandLevels(program, { topic, shell: shells });
  process.stdout.write(scripts[known](levels));
}

const scripts: Readonly<Record<(typeof shells)[number], (levels: readonly CommandLevel[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
