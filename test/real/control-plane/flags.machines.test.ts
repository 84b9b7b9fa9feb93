import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  knownAdmissionPlugins,
  knownAuthorizationModes,
} from '../../../src/release/flags/admission-plugins.js';
import { knownFeatureGates } from '../../../src/release/flags/feature-gates.js';
import { flagTables, type FlaggedProgram } from '../../../src/release/flags/flag-table.js';
import { namesAt } from '../../../src/release/flags/known-names.js';
import { describeWith } from '../../support/programs.js';
import { buildTimeoutMs, toolFolder } from './support/tools.js';
import { scaledMs } from '../../support/time-scale.js';

/** Folder of the Kubernetes programs, built from the modules of the newest column of the tables. */
let kubernetes = '';

function withKubernetes(title: string, suite: () => void): void {
  describeWith(['go'], title, () => {
    beforeAll(async () => {
      kubernetes = await toolFolder('kubernetes');
    }, buildTimeoutMs);
    suite();
  });
}

/** All output of a program for these arguments. Each run ends at once. */
function printed(program: FlaggedProgram, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program === 'etcd' ? 'etcd' : join(kubernetes, program), args, {
    encoding: 'utf8',
    timeout: scaledMs(60_000),
  });
  return stdout + stderr;
}

/** The minor version that a program prints, as in `Kubernetes v1.36.3` and `etcd Version: 3.4.23`. */
function minorOf(program: FlaggedProgram): number {
  return Number(/(?:Kubernetes v1|Version: 3)\.(\d+)\./.exec(printed(program, '--version'))?.[1]);
}

function texts(pattern: RegExp, text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

const without = (left: Iterable<string>, right: ReadonlySet<string>) =>
  [...left].filter((name) => !right.has(name));

const programs = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const;

describe.each(programs)('the table agrees with %s', (program) => {
  withKubernetes('of its modules', () => {
    const help = () => printed(program, '--help');
    const table = () => namesAt(flagTables[program], minorOf(program));
    const gatesInHelp = () => texts(/([A-Z]\w+)=true\|false/g, help());

    test('in the flags of its help', () => {
      const helped = texts(/^ +(?:-\w, )?--([\w-]+)/gm, help());
      expect(helped.size).toBeGreaterThan(50);
      expect(without(helped, table())).toEqual([]);
    });

    test('in the flags that its help hides', () => {
      const hidden = without(table(), texts(/^ +(?:-\w, )?--([\w-]+)/gm, help()));
      const refused = [...hidden, 'no-such-flag'].filter((flag) =>
        printed(program, `--${flag}=1`, '--help').includes(`unknown flag: --${flag}`),
      );
      expect(refused).toEqual(['no-such-flag']);
    });

    test('in the feature gates of its help', () => {
      const known = knownFeatureGates(minorOf(program), program);
      expect(gatesInHelp().size).toBeGreaterThan(50);
      expect(without(gatesInHelp(), known)).toEqual([]);
    });
  });
});

withKubernetes('the names that kube-apiserver lists', () => {
  const listOf = (pattern: RegExp) =>
    pattern.exec(printed('kube-apiserver', '--help'))?.[1]?.split(/, ?/).toSorted();

  test('are its admission plugins', () => {
    const listed = listOf(/--admission-control strings[^\n]*Comma-delimited list of: ([^.]*)\./);
    expect(listed).toEqual([...knownAdmissionPlugins(minorOf('kube-apiserver'))].toSorted());
  });

  test('are its authorization modes', () => {
    const listed = listOf(/--authorization-mode strings[^\n]*Comma-delimited list of: ([^.]*)\./);
    expect(listed).toEqual([...knownAuthorizationModes(minorOf('kube-apiserver'))].toSorted());
  });
});

describe.each(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const)(
  'the gates of %s',
  (program) => {
    // These three validate feature gates before they print their version. The other two validate them only at the start.
    withKubernetes('of its modules', () => {
      const refusal = (gates: readonly string[]) =>
        printed(program, `--feature-gates=${gates.map((gate) => `${gate}=true`).join(',')}`, '--version');

      test('are those of the table, those that are always on included', () => {
        let gates: readonly string[] = [...knownFeatureGates(minorOf(program), program)].filter(
          // Both set other gates, which would then be set twice.
          (gate) => gate !== 'AllAlpha' && gate !== 'AllBeta',
        );
        // The error for a gate locked to off shows that the gate is known. It is removed, and the others are tried again.
        for (;;) {
          const locked = /cannot set feature gate (\w+) to true/.exec(refusal(gates))?.[1];
          if (locked === undefined) break;
          gates = gates.filter((gate) => gate !== locked);
        }
        expect(gates.length).toBeGreaterThan(150);
        expect(refusal(gates)).not.toContain('unrecognized feature gate');
        expect(refusal([...gates, 'NoSuchGate'])).toContain('unrecognized feature gate: NoSuchGate');
      });
    });
  },
);

describeWith(['etcd'], 'the table agrees with etcd of this machine', () => {
  const table = () => namesAt(flagTables.etcd, minorOf('etcd'));

  test('in the flags of its help', () => {
    const helped = texts(/^ +--([a-z0-9-]+)/gm, printed('etcd', '--help'));
    expect(helped.size).toBeGreaterThan(50);
    expect(without(helped, table())).toEqual([]);
  });

  test('in every flag that it is given', () => {
    const refused = [...table(), 'no-such-flag'].filter((flag) =>
      printed('etcd', `--${flag}=1`, '--version').includes('provided but not defined'),
    );
    expect(refused).toEqual(['no-such-flag']);
  });
});
