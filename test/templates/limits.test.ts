import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { scriptsOf } from '../real/command-lines/support/calls.js';
import { commandsOf, type ShellCommand } from '../real/command-lines/support/shell-words.js';

/** A call without a time limit to a program that may block. */
interface Unbounded {
  readonly script: string;
  readonly line: number;
  readonly call: string;
}

const scripts = scriptsOf('templates');
const functions = new Set(scripts.flatMap((script) => functionsIn(readFileSync(script, 'utf8'))));

describe('every program that may wait', () => {
  test('is called with a limit, in every script of the node', () => {
    expect(scripts.length).toBeGreaterThan(30);
    expect(scripts.flatMap(unboundedIn)).toEqual([]);
  });

  test.each<{ name: string; given: string; want: readonly string[] }>([
    { name: 'a plain call', given: 'rsync --archive a b', want: ['rsync --archive a b'] },
    { name: 'as a condition', given: 'if ! podman pull a; then :; fi', want: ['podman pull a'] },
    { name: 'in a substitution', given: 'x="$(skopeo copy a b)"', want: ['skopeo copy a b'] },
    { name: 'in a pipe', given: 'cat a | ssh b', want: ['ssh b'] },
    { name: 'as a stage', given: 'run_stage x semodule --reload', want: ['semodule --reload'] },
    { name: 'in a wait, whose limit holds between tries', given: "wait_until 'x' 5 5 ping a", want: ['ping a'] },
    { name: 'a program that nobody thought of', given: 'newfangled --sync', want: ['newfangled --sync'] },
    { name: 'the API without a limit', given: 'oc get nodes', want: ['oc get nodes'] },
    { name: 'a unit that is waited for', given: 'systemctl restart a', want: ['systemctl restart a'] },
    { name: 'behind a variable', given: 'LANG=C ostree checkout a', want: ['ostree checkout a'] },
    { name: 'with timeout', given: 'timeout --kill-after=30s 5m rsync a b', want: [] },
    { name: 'with a limit of its own', given: 'oc get nodes --request-timeout=30s', want: [] },
    { name: 'what only reads and writes files', given: 'cp a b; grep a b', want: [] },
    { name: 'a timeout without a time', given: 'timeout rsync', want: ['timeout rsync'] },
  ])('is found without one: $name', ({ given, want }) => {
    expect(unboundedCalls(commandsOf(given)).map(({ call }) => call)).toEqual(want);
  });
});

function unboundedIn(script: string): readonly Unbounded[] {
  const text = withoutPatterns(withoutArithmetic(withoutHereDocuments(readFileSync(script, 'utf8'))));
  return unboundedCalls(commandsOf(text)).map((found) => ({ script, ...found }));
}

function unboundedCalls(commands: readonly ShellCommand[]): readonly Omit<Unbounded, 'script'>[] {
  return commands.flatMap(({ line, words }) => {
    const texts = words.map(({ text, list }) => (list === undefined ? text : `@${list}@`));
    const call = programPart(texts);
    return isBounded(call) ? [] : [{ line, call: call.join(' ') }];
  });
}

/** The program with its arguments; empty for functions, shell keywords and assignments. */
function programPart(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const own = runners[first];
  if (own !== undefined) return programPart(rest.slice(own));
  // The words of an array assignment are not a command.
  if (/^\w+\+?=$/.test(first) || (first === 'command' && rest[0] === '-v')) return [];
  // A variable with the number of a file descriptor.
  if (/^\{\w+\}$/.test(first)) return programPart(rest);
  if (shellWords.has(first) || /^\w+(?:\[.*\])?\+?=/.test(first)) return programPart(rest);
  return words;
}

function isBounded([program, ...args]: readonly string[]): boolean {
  // Parts of a condition in brackets.
  if (args.at(-1) === ']]' || program?.startsWith('-') === true || args[0] === '-eq') return true;
  if (program === undefined || functions.has(program) || builtins.has(program) || local.has(program)) return true;
  if (program === '@@@') return true;
  if (ours.has(program) || program.startsWith('@SNO_BIN_DIR@/')) return true;
  if (program === 'timeout') return args.filter((word) => !word.startsWith('-')).length >= 2;
  return ownLimits[program]?.(args) ?? false;
}

/** Variables that contain a function or script of this project, and the service process itself, which systemd watches. */
const ours: ReadonlySet<string> = new Set(['@clean_up@', '@cleanup@', '@command@', '@filter@', '@3@', 'kubelet', 'sudo']);

/** Functions that run a command, with the number of arguments before it. */
const runners: Readonly<Record<string, number>> = {
  await: 4,
  attempt: 1,
  holds: 0,
  run_always: 1,
  run_stage: 1,
  try_stage: 1,
  wait_until: 3,
};

const shellWords: ReadonlySet<string> = new Set(
  '{ } ! if elif then else while until do time exec command'.split(' '),
);
const builtins: ReadonlySet<string> = new Set(
  'pwd : [[ ]] [ (( cd declare done echo esac exit export fi for case in jobs local mapfile printf read readonly return set shift shopt source test trap true false umask unset wait function kill continue break eval'.split(
    ' ',
  ),
);

/** Programs that only read and write local files, or that wait as long as requested. */
const local: ReadonlySet<string> = new Set(
  'awk base64 basename cat chmod chown cmp comm cp cut date dd df diff dirname env file find free grep gzip head hostname id install ip jq ln ls mkdir mktemp mv nproc od openssl paste ps readlink realpath rm rmdir sed sha256sum sha512sum sleep sort split ss stat sync tail tar tee touch tr uname uniq uptime wc xargs xz zcat'.split(
    ' ',
  ),
);

/** Programs with a limit of their own, or in a mode that returns at once. */
const ownLimits: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  oc: hasFlag('--request-timeout='),
  kubectl: hasFlag('--request-timeout='),
  '@kube_client@': hasFlag('--request-timeout='),
  '@SNO_KUBE_CLIENT@': hasFlag('--request-timeout='),
  curl: hasFlag('--max-time'),
  crictl: hasFlag('--timeout'),
  flock: (args) => args.includes('--nonblock') || args.includes('--timeout'),
  // --no-block does not wait for the job; the others are queries.
  systemctl: (args) => args.includes('--no-block') || /^(?:is-active|is-enabled|list-units)$/.test(args[0] ?? ''),
};

function hasFlag(flag: string): (args: readonly string[]) => boolean {
  return (args) => args.some((word) => word.startsWith(flag));
}

function functionsIn(text: string): readonly string[] {
  return [...text.matchAll(/^(\w+)\(\)/gm)].map(([, name = '']) => name);
}

/** Removes patterns of `case`, which are not commands. */
function withoutPatterns(text: string): string {
  return text.replace(/^([ \t]+)(?! )(?:'[^'\n]*'|[^()\n])+\)(?=\s|$)/gm, '$1');
}

/** Removes arithmetic and empty arrays, which are not commands. */
function withoutArithmetic(text: string): string {
  return text.replace(/(?<!\$)\(\((?:[^()]|\([^()]*\))*\)\)/g, ':').replaceAll('=() ', '= ');
}

/** Removes the contents of here documents. */
function withoutHereDocuments(text: string): string {
  return text.replace(/(<<-?'?(\w+)'?[^\n]*\n)([\s\S]*?)^\s*\2$/gm, (_all, opening: string, _end, inside: string) =>
    opening.replace(/<<-?'?\w+'?/, '') + inside.replace(/[^\n]/g, ''),
  );
}
