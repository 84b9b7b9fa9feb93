import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { snoHere } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { sweep } from '../support/sweep.js';
import { scaledMs } from '../support/time-scale.js';

const scripts = new Map<string, string>();

/** What the command prints for a shell: the same each time. */
async function script(shell: string): Promise<string> {
  const known = scripts.get(shell) ?? (await snoHere(['completion', shell])).stdout;
  scripts.set(shell, known);
  return known;
}

function wordsOf(stdout: string): readonly string[] {
  return stdout
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted();
}

/** What stands before the cursor, and all that is offered for its last word. */
const cases: readonly { words: readonly string[]; want: readonly string[] }[] = [
  { words: ['cr'], want: ['create'] },
  {
    words: ['create', 'single'],
    want: ['single-node-ignition-config', 'single-node-iso', 'single-node-pxe'],
  },
  { words: ['create', 'single-node-pxe', '--live'], want: ['--live-karg'] },
  { words: ['create', 'single-node-iso', '--roo'], want: ['--rootfs', '--rootfs-out'] },
  { words: ['state', 'enc'], want: ['encrypt'] },
  { words: ['create', 'manifests', '--rec'], want: ['--recipient', '--recipients-file'] },
  { words: ['create', 'single-node-ig'], want: ['single-node-ignition-config'] },
  { words: ['create', 'sno-config', '--n'], want: ['--node-ip', '--ntp-source'] },
  { words: ['create', 'manifests', '--st'], want: ['--state', '--state-command'] },
  { words: ['--dir', 'x', 'val'], want: ['validate'] },
  { words: ['validate', '--target', ''], want: ['aio-ignition', 'single-node-ignition-config'] },
  { words: ['preflight', '--d'], want: ['--dir', '--dns-server'] },
  { words: ['images', '--format', 'i'], want: ['imageset'] },
  { words: ['golden', '--c'], want: ['--check'] },
  { words: ['fleet', 'v'], want: ['validate'] },
  { words: ['fleet', 'validate', '--on'], want: ['--only'] },
  { words: ['fleet', 'create', '--f'], want: ['--fail-fast'] },
  { words: ['fleet', 'create', '--s'], want: ['--shard', '--state', '--state-command', '--store'] },
  { words: ['fleet', 'co'], want: ['collect'] },
  { words: ['fleet', 'job', '--na'], want: ['--name', '--namespace'] },
  { words: ['fleet', 'st'], want: ['status'] },
  { words: ['fleet', 'golden', '--ch'], want: ['--check'] },
  { words: ['fleet', 'diff', '--ag'], want: ['--against'] },
  { words: ['fleet', 'certs', '--w'], want: ['--warn-before'] },
  { words: ['fleet', 'render', 'inputs', '--ou'], want: ['--out', '--output'] },
  { words: ['fleet', 'keys', '--f'], want: ['--fill'] },
  { words: ['fleet', 'bo'], want: ['boot'] },
  { words: ['fleet', 'wait-for', 'i'], want: ['install-complete'] },
  { words: ['fleet', 'boot', '--media'], want: ['--media', '--media-url'] },
  { words: ['import', 'a'], want: ['agent-config'] },
  { words: ['import', 'cluster-instance', '--si'], want: ['--site'] },
  { words: ['serve', '--pri'], want: ['--print-urls'] },
  { words: ['diff', '--output', 'm'], want: ['markdown'] },
  { words: ['diff', '--ag'], want: ['--against'] },
  { words: ['graph', '--format', ''], want: ['dot', 'json', 'mermaid'] },
  { words: ['graph', 'manifests', '--format', 'm'], want: ['mermaid'] },
  { words: ['graph', 'aio-c'], want: ['aio-control-plane'] },
  { words: ['--output', 'json', 'completion', 'p'], want: ['powershell'] },
  { words: ['create', 'manifests', '--log-level', ''], want: ['debug', 'error', 'info', 'warn'] },
  { words: ['why', '--target', 'aio-i'], want: ['aio-ignition'] },
  { words: ['insp'], want: ['inspect'] },
  { words: ['ver'], want: ['verify', 'version'] },
  { words: ['verify', '--allow'], want: ['--allowed-signers'] },
  { words: ['verify', '--is'], want: ['--iso'] },
  { words: ['certs', '--warn'], want: ['--warn-before'] },
  { words: ['explain', 'config/replic'], want: ['config/replicas'] },
];

describeWith(['bash'], 'completion in bash', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const line = words.map((word) => JSON.stringify(word)).join(' ');
    const ask = `COMP_WORDS=(sno-install ${line}); COMP_CWORD=${words.length}; cd /proc/sys; _sno_install; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return wordsOf(stdout);
  };
  it.each(cases)('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });

  it('after an equals sign, which bash makes a word of', async () => {
    expect(await complete(['validate', '--output', '=', 'j'])).toEqual(['json']);
    expect(await complete(['validate', '--output', '='])).toEqual(['json', 'text']);
  });

  it('leaves files to bash', async () => {
    expect(await script('bash')).toMatch(/^complete -o default -F _sno_install sno-install$/m);
    expect(await complete(['analyze', 'log-'])).toEqual([]);
    expect(await complete(['validate', '--dir', ''])).toEqual([]);
  });

  it('uses nothing that bash 3.2 does not have', async () => {
    // What came with bash 4: CHANGES of its source, sections for 4.0 to 4.4.
    expect(await script('bash')).not.toMatch(
      /\b(?:mapfile|readarray|compopt|coproc)\b|declare -[Agn]|local -[Agn]|\$\{[a-z]+(?:,,|\^\^)|\|&|;;&|&>>/,
    );
  });
});

/** What a new zsh offers at its first Tab, with the script in a folder of fpath: what compadd is given that fits is printed. */
const zshDriver = `
  zmodload zsh/zpty
  zpty shell "zsh -f -i"
  zpty -w shell 'PS1=; fpath=('$1'/functions $fpath); path=('$1'/bin $path); cd /proc/sys; autoload -Uz compinit; compinit -D -u'
  zpty -w shell 'compadd() { local -a fits; builtin compadd -O fits "$@"; print -l -- BEG""IN $fits EN""D; builtin compadd "$@" }; bindkey "^X" complete-word; print READY$((1+1))'
  local shown
  zpty -r shell shown '*READY2*'
  zpty -n -w shell "$2"$'\\x18'
  zpty -r shell shown '*BEGIN*END*'
  print -r -- "\${\${shown##*BEGIN}%%END*}"
  zpty -d shell`;

describeWith(['zsh'], 'completion in zsh, from a folder of fpath, at the first Tab', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'functions'));
    writeFileSync(join(folder, 'functions/_sno-install'), await script('zsh'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(resolve('dist/cli.js'), join(folder, 'bin/sno-install'));
    const args = ['-f', '-c', zshDriver, 'driver', folder, ['sno-install', ...words].join(' ')];
    const { stdout, stderr } = spawnSync('zsh', args, { encoding: 'utf8', timeout: scaledMs(60_000) });
    expect(stderr).toBe('');
    return wordsOf(stdout);
  };
  it.each(sweep(cases, 2))('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });
});

describeWith(['fish'], 'completion in fish', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'sno-install.fish'), await script('fish'));
    const ask = `source ${folder}/sno-install.fish; cd /proc/sys; complete -C ${JSON.stringify(['sno-install', ...words].join(' '))}`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8' });
    expect(stderr).toBe('');
    // A word, a tab, what it means.
    return stdout
      .split('\n')
      .map((row) => row.split('\t')[0] ?? '')
      .filter((word) => word !== '')
      .toSorted();
  };
  it.each(cases)('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });
});

describe('the script for powershell', () => {
  it.each(['create single-node-ignition-config', 'wait-for node-ready'])(
    'knows what follows %s',
    async (path) => {
      expect(await script('powershell')).toContain(`        '${path}' = @('--`);
    },
  );

  it('knows the values of options', async () => {
    expect(await script('powershell')).toContain("        'graph:--format' = @('dot', 'mermaid', 'json')\n");
  });

  it('quotes nothing that would end a text', async () => {
    for (const line of (await script('powershell'))
      .split('\n')
      .filter((each) => each.startsWith("        '"))) {
      expect(line).toMatch(/^ {8}'[a-z :-]*' = @\((?:'[\w/.-]+'(?:, )?)*\)$/);
    }
  });
});
