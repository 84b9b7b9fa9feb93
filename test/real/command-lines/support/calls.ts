import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { commandsOf, type ShellCommand, type Word } from './shell-words.js';

/** A command line that a script of ours gives to a program of the node. */
export interface Call {
  readonly script: string;
  readonly line: number;
  readonly program: string;
  /** What stands for values that only the node knows is `@NAME@`. */
  readonly args: readonly string[];
}

/** Every call of these programs in the scripts of a folder, through our own wrappers too. */
export function callsOf(folder: string): readonly Call[] {
  return scriptsOf(folder).flatMap((script) => {
    const commands = commandsOf(readFileSync(script, 'utf8'));
    return commands.flatMap((command) =>
      alternatives(command.words, commands).flatMap((words) =>
        callIn(words, script)
          // A wrapper's own line, without what its callers add.
          .filter(({ args }) => args.some((word) => !word.startsWith('-')))
          .map((call) => ({ ...call, script, line: command.line })),
      ),
    );
  });
}

/** The shell scripts of a folder, sorted. */
export function scriptsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'utf8').startsWith('#!/usr/bin/env bash'))
    .sort();
}

const programs: readonly string[] = ['podman', 'skopeo', 'crictl', 'oc', 'kubectl', 'coreos-installer'];

/** Variables that hold the client of the API, whichever the machine has. */
const clients = ['@kube_client@', '@SNO_KUBE_CLIENT@'];

/** The command with its lists in place: every `=` of a list is one way to run it, what a `+=` adds is in all of them. */
function alternatives(
  words: readonly Word[],
  commands: readonly ShellCommand[],
): readonly (readonly string[])[] {
  const ways = words.map(({ text, list }) => (list === undefined ? [[text]] : listWays(list, commands)));
  return ways.reduce<readonly (readonly string[])[]>(
    (done, next) => done.flatMap((begun) => next.map((more) => [...begun, ...more])),
    [[]],
  );
}

function listWays(list: string, commands: readonly ShellCommand[]): readonly (readonly string[])[] {
  const valuesOf = (operator: string) =>
    commands
      .filter(({ words }) => words[0]?.text === `${list}${operator}`)
      .map(({ words }) => words.slice(1).map(({ text }) => text));
  // What is not written in the script comes from a caller, whose own words are read there.
  const added = valuesOf('+=').filter(([first]) => first?.startsWith('-'));
  const set = valuesOf('=').map((words) => words.map((word) => (clients.includes(word) ? 'kubectl' : word)));
  return (set.length === 0 ? [[]] : set).map((begun) => [...begun, ...added.flat()]);
}

function callIn(words: readonly string[], script: string): readonly Pick<Call, 'program' | 'args'>[] {
  const [program, ...args] = commandPart(words);
  if (program === undefined) return [];
  const client = script.startsWith('templates/aio/') ? ['oc', 'kubectl'] : ['oc'];
  if (clients.includes(program)) return ['oc', 'kubectl'].map((each) => ({ program: each, args }));
  // `ask` is the client with a limit for each answer, in post-reboot.sh and aio-common.sh.
  if (program === 'ask')
    return client.map((each) => ({ program: each, args: ['--request-timeout=30s', ...args] }));
  // bootkube-tools.sh: run_tool NAME [PODMAN_OPTION…] -- IMAGE …; sno-etcd.sh: etcd_tool IMAGE PROGRAM [PODMAN_OPTION…] -- …
  if (program === 'run_tool') return containerCall(args.slice(1));
  if (program === 'etcd_tool') return containerCall(args.slice(2));
  return programs.includes(program) ? [{ program, args }] : [];
}

function containerCall(args: readonly string[]): readonly Pick<Call, 'program' | 'args'>[] {
  const end = args.indexOf('--');
  return end < 1 ? [] : [{ program: 'podman', args: ['run', ...args.slice(0, end), '@image@'] }];
}

/** How many words of its own each of our functions takes before the command that it runs. */
const runners: Readonly<Record<string, number>> = {
  await: 4,
  collect: 1,
  run_always: 1,
  run_stage: 1,
  try_stage: 1,
  wait_until: 3,
};

const keywords: readonly string[] = ['{', '!', 'if', 'elif', 'then', 'else', 'while', 'until', 'do', 'exec'];

/** A command without what runs it. */
function commandPart(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const own = runners[first];
  if (own !== undefined) return commandPart(rest.slice(own));
  // The words of a list, which are read where it stands.
  if (/^\w+\+?=$/.test(first)) return [];
  if (keywords.includes(first) || /^\w+=/.test(first)) return rest.length === 0 ? [] : commandPart(rest);
  if (first !== 'timeout') return words;
  const time = rest.findIndex((word) => !word.startsWith('-'));
  return commandPart(rest.slice(time + 1));
}
