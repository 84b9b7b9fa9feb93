import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the program's error for these arguments, without running the command. Undefined if it accepts them. */
export type ArgumentCheck = (args: readonly string[]) => string | undefined;

export const podman: ArgumentCheck = (args) => parsedBy('podman', args);

export const kubectl: ArgumentCheck = (args) => parsedBy('kubectl', args);

/** kubectl's commands, under oc's names for them. */
export const oc: ArgumentCheck = (args) => {
  const words = args.filter((word) => !word.startsWith('-'));
  const table = facts('oc') as {
    readonly kubectl: readonly string[];
    readonly kubectlBelowAdm: readonly string[];
  };
  const isBelowAdm = words[0] === 'adm';
  const command = words[isBelowAdm ? 1 : 0] ?? '';
  if (!(isBelowAdm ? table.kubectlBelowAdm : table.kubectl).includes(command))
    return `oc has no command ${isBelowAdm ? 'adm ' : ''}${command} of kubectl`;
  return kubectl(args.filter((word) => word !== 'adm'));
};

/** Checks arguments against the options declared in the program's source. */
export function declared(program: 'crictl' | 'coreos-installer'): ArgumentCheck {
  const { commands } = facts(program) as { readonly commands: Readonly<Record<string, Flags>> };
  return ([command = '', ...args]) => {
    const known = commands[command];
    if (known === undefined) return `${program} has no command ${command}`;
    return stranger(known, args);
  };
}

interface Flags {
  readonly values: readonly string[];
  readonly switches: readonly string[];
}

function stranger({ values, switches }: Flags, args: readonly string[]): string | undefined {
  const [word = '', ...rest] = args;
  if (word === '' || word === '--') return undefined;
  if (!word.startsWith('-')) return stranger({ values, switches }, rest);
  const [name = '', value] = word.replace(/^--?/, '').split(/=(.*)/s);
  if (switches.includes(name))
    return value === undefined ? stranger({ values, switches }, rest) : `${word} takes no value`;
  if (!values.includes(name)) return `unknown flag: ${word}`;
  if (value !== undefined) return stranger({ values, switches }, rest);
  return rest.length === 0 ? `${word} needs a value` : stranger({ values, switches }, rest.slice(1));
}

/** The program parses every option but prints its help. `--help` is inserted first, because arguments after an image are not options. */
function parsedBy(program: string, args: readonly string[]): string | undefined {
  const options = args.findIndex((word, index) => index > 0 && word.startsWith('-'));
  const at = options === -1 ? args.length : options;
  const helpArgs = [...args.slice(0, at), '--help', ...args.slice(at)];
  const { status, stderr, error } = spawnSync(program, helpArgs, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return status === 0 ? undefined : (stderr.split('\n')[0] ?? '');
}

function facts(program: string): unknown {
  return JSON.parse(readFileSync(`test/support/command-flags/${program}.json`, 'utf8'));
}
