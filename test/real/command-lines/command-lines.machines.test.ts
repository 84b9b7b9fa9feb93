import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { callsOf, scriptsOf } from './support/calls.js';
import { declared, kubectl, oc, podman, type ArgumentCheck } from './support/judges.js';

const judges: Readonly<Record<string, ArgumentCheck>> = {
  podman,
  kubectl,
  oc,
  crictl: declared('crictl'),
  'coreos-installer': declared('coreos-installer'),
};

const calls = callsOf('templates');

/** Identical command lines are checked once. */
const texts = [...new Map(calls.map((call) => [[call.program, ...call.args].join(' '), call])).entries()];

/** Command lines that each checker must reject, to show that it checks anything. */
const refused: readonly {
  readonly program: string;
  readonly args: readonly string[];
  readonly want: string;
}[] = [
  { program: 'podman', args: ['run', '--rm', '--replaces', 'i'], want: 'Error: unknown flag: --replaces' },
  { program: 'podman', args: ['pull', '--authfiles', 'f', 'i'], want: 'Error: unknown flag: --authfiles' },
  { program: 'kubectl', args: ['get', 'nodes', '--outputs=json'], want: 'Error: unknown flag: --outputs' },
  { program: 'oc', args: ['get', 'nodes', '--outputs=json'], want: 'Error: unknown flag: --outputs' },
  { program: 'oc', args: ['uncordon', 'node1'], want: 'oc has no command uncordon of kubectl' },
  { program: 'oc', args: ['adm', 'get', 'nodes'], want: 'oc has no command adm get of kubectl' },
  { program: 'crictl', args: ['ps', '--states=Running'], want: 'unknown flag: --states=Running' },
  { program: 'crictl', args: ['ps', '--all=yes'], want: '--all=yes takes no value' },
  { program: 'crictl', args: ['stop', 'x'], want: 'crictl has no command stop' },
  {
    program: 'coreos-installer',
    args: ['install', '--ignition-file'],
    want: '--ignition-file needs a value',
  },
];

describeWith(['podman', 'kubectl'], "the command lines of the node's scripts", () => {
  test.each(texts)('%s', (_text, { program, args, script, line }) => {
    expect(judges[program]?.(args), `${script}:${line}`).toBeUndefined();
  });

  test.each(refused)('$program would refuse $args', ({ program, args, want }) => {
    expect(judges[program]?.(args)).toBe(want);
  });
});

describe('containers that write', () => {
  const writers = calls.filter(
    ({ program, args }) =>
      program === 'podman' &&
      args[0] === 'run' &&
      // A wrapper's command line also contains the arguments of its callers.
      args.includes('--rm') &&
      args.some((word) => /^--volume=/.test(word) && !/:(?:ro|O)(?:,|$)/.test(word)),
  );

  // podman runs a container in another slice, where it outlives the killed service that started it.
  test.each(writers.map((call) => [`${call.script}:${call.line}`, call.args] as const))(
    '%s: the next run ends the container of one that was killed',
    (_place, args) => {
      expect(args).toContain('--replace');
      expect(args.filter((word) => word.startsWith('--name='))).toHaveLength(1);
    },
  );

  test('are found', () => {
    expect(writers.length).toBeGreaterThan(3);
  });
});

describe('the reader of the scripts', () => {
  // The client in the variables is known only on the node. No script contains the word kubectl.
  test.each(Object.keys(judges).filter((program) => program !== 'kubectl'))(
    'finds every call of %s in the scripts',
    (program) => {
      const found = calls.filter((call) => call.program === program);
      const missing = scriptsOf('templates').flatMap((script) =>
        linesWith(script, program).filter(
          (line) =>
            !found.some((call) => call.script === script && call.line <= line && line <= call.line + 3),
        ),
      );
      expect(found.length).toBeGreaterThan(0);
      expect(missing).toEqual([]);
    },
  );

  test('sees the options that a caller hands to a wrapper, and those of a list', () => {
    const found = texts.map(([text]) => text);
    expect(found).toContain('podman run --net=host --volume=@SNO_HOME@/tls:/tls:ro @image@');
    expect(found.filter((text) => text.includes(':/@folder@:O'))).toHaveLength(1);
  });
});

/** Lines that call a program, outside of comments and strings, found by a plain text search. */
function linesWith(script: string, program: string): readonly number[] {
  const pattern = new RegExp(`^[^#'"]*(?<![\\w/-])${program} [a-z]+ `);
  return readFileSync(script, 'utf8')
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
