import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { commandsOf, type ShellCommand, type Word } from './shell-words.js';

/** A command line in one of our scripts that runs a program of the node. */
export interface Call {
  readonly script: string;
  readonly line: number;
  readonly program: string;
  /** Values that only the node knows are `@NAME@`. */
  readonly args: readonly string[];
}

/** Every call of these programs in the scripts of a folder, including calls through our wrapper functions. */
export function callsOf(folder: string): readonly Call[] {
  return scriptsOf(folder).flatMap((script) => {
    const commands = commandsOf(readFileSync(script, 'utf8'));
    return commands.flatMap((command) =>
      alternatives(command.words, commands).flatMap((words) =>
        callIn(words, script)
          // The wrapper's own line, without its callers' arguments.
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

/** Variables that contain the API client of the machine. */
const clients = ['@kube_client@', '@SNO_KUBE_CLIENT@'];

/** The command with its arrays expanded: each `=` assignment is one variant, and `+=` additions are part of every variant. */
function alternatives(
  words: readonly Word[],
  commands: readonly ShellCommand[],
): readonly (readonly string[])[] {
  const ways = words.map(({ text, list }) => (list === undefined ? [[text]] : listWays(list, commands)));
  return ways.reduce<readonly (readonly string[])[]>(
    (done, next) => done.flatMap((prefix) => next.map((more) => [...prefix, ...more])),
    [[]],
  );
}

function listWays(list: string, commands: readonly ShellCommand[]): readonly (readonly string[])[] {
  const valuesOf = (operator: string) =>
    commands
      .filter(({ words }) => words[0]?.text === `${list}${operator}`)
      .map(({ words }) => words.slice(1).map(({ text }) => text));
  // Values that are not in the script come from a caller, and are checked there.
  const added = valuesOf('+=').filter(([first]) => first?.startsWith('-'));
  const set = valuesOf('=').map((words) => words.map((word) => (clients.includes(word) ? 'kubectl' : word)));
  return (set.length === 0 ? [[]] : set).map((prefix) => [...prefix, ...added.flat()]);
}

function callIn(words: readonly string[], script: string): readonly Pick<Call, 'program' | 'args'>[] {
  const [program, ...args] = commandPart(words);
  if (program === undefined) return [];
  const client = script.startsWith('templates/aio/') ? ['oc', 'kubectl'] : ['oc'];
  if (clients.includes(program)) return ['oc', 'kubectl'].map((each) => ({ program: each, args }));
  // `ask` runs the client with a request timeout, in post-reboot.sh and aio-common.sh.
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

/** Number of arguments that each of our functions takes before the command that it runs. */
const runners: Readonly<Record<string, number>> = {
  await: 4,
  collect: 1,
  run_always: 1,
  run_stage: 1,
  try_stage: 1,
  wait_until: 3,
};

const keywords: readonly string[] = ['{', '!', 'if', 'elif', 'then', 'else', 'while', 'until', 'do', 'exec'];

/** A command without the functions or programs that run it. */
function commandPart(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const own = runners[first];
  if (own !== undefined) return commandPart(rest.slice(own));
  // An array assignment. Its words are read where the array is used.
  if (/^\w+\+?=$/.test(first)) return [];
  if (keywords.includes(first) || /^\w+=/.test(first)) return rest.length === 0 ? [] : commandPart(rest);
  if (first !== 'timeout') return words;
  const time = rest.findIndex((word) => !word.startsWith('-'));
  return commandPart(rest.slice(time + 1));
}
