import { describe, expect, test } from 'vitest';

import type { NameAnswer, PullAnswer, TimeAnswer } from '../../../src/remote/preflight/answers.js';
import { judgeName, judgeReverse, type NameExpectations } from '../../../src/remote/preflight/judge-names.js';
import { judgePulls } from '../../../src/remote/preflight/judge-pulls.js';
import { judgeTime } from '../../../src/remote/preflight/judge-time.js';
import type { PlannedName } from '../../../src/remote/preflight/plan.js';
import type { PullPlace } from '../../../src/remote/preflight/pull-places.js';
import { problemsOfAnswers } from '../../../src/remote/preflight/verdict.js';
import { showProblem } from '../../support/show-problem.js';

const networking: NameExpectations['install']['networking'] = {
  networkType: 'OVNKubernetes',
  machineNetwork: [{ cidr: '192.168.126.0/24' }, { cidr: 'fd00::/64' }],
  clusterNetwork: [],
  serviceNetwork: [],
};

function subject(sno: Partial<NameExpectations['sno']> = {}): NameExpectations {
  return { install: { networking }, sno: { dns: { local: false, apiCheck: 'Address' }, ...sno } };
}

const at = (...addresses: readonly string[]): NameAnswer => ({ kind: 'addresses', addresses });
const nothing: NameAnswer = { kind: 'nothing' };
const silence: NameAnswer = { kind: 'unanswered', reason: 'timed out' };

describe('a name of the cluster', () => {
  const node = { nodeIP: '192.168.126.10' };
  test.each<{
    name: string;
    given: NameAnswer;
    sno?: Partial<NameExpectations['sno']>;
    role?: 'node';
    want: string | undefined;
  }>([
    { name: 'leads to the node', given: at('192.168.126.10'), sno: node, want: undefined },
    { name: 'leads into the machine network', given: at('192.168.126.99'), want: undefined },
    {
      name: 'leads to the node in another spelling',
      given: at('fd00:0::0010'),
      sno: { nodeIP: 'fd00::10' },
      want: undefined,
    },
    {
      name: 'leads to both families, of which nodeIP says one',
      given: at('192.168.126.10', 'fd00::9'),
      sno: node,
      want: undefined,
    },
    { name: 'leads to another', given: at('192.168.126.11'), sno: node, want: 'preflight/name-elsewhere' },
    {
      name: 'leads to the node and another',
      given: at('192.168.126.10', '192.168.126.11'),
      sno: node,
      want: 'preflight/name-elsewhere',
    },
    {
      name: 'leads out of the machine networks',
      given: at('198.51.100.1'),
      sno: node,
      want: 'preflight/name-outside',
    },
    { name: 'leads nowhere', given: nothing, want: 'preflight/name-missing' },
    {
      name: 'leads nowhere, and the node answers itself',
      given: nothing,
      sno: { dns: { local: true, apiCheck: 'Address' } },
      want: 'preflight/name-known-to-node-alone',
    },
    { name: 'of the node leads nowhere', given: nothing, role: 'node', want: 'preflight/node-name' },
    {
      name: 'is not answered',
      given: silence,
      sno: { dns: { local: true, apiCheck: 'Address' } },
      want: 'preflight/dns-unanswered',
    },
  ])('$name', ({ given, sno, role, want }) => {
    const name: PlannedName = {
      shown: 'api.site1.example.com',
      queried: 'api.site1.example.com',
      role: role ?? 'api',
    };
    expect(judgeName(name, given, subject(sno)).code).toBe(want);
  });

  test.each<{ name: string; given: NameAnswer; hostname?: string; want: string | undefined }>([
    {
      name: 'the same',
      given: { kind: 'names', names: ['a.example.com'] },
      hostname: 'a.example.com',
      want: undefined,
    },
    {
      name: 'its first part',
      given: { kind: 'names', names: ['a.example.com'] },
      hostname: 'a',
      want: undefined,
    },
    {
      name: 'another',
      given: { kind: 'names', names: ['b.example.com'] },
      hostname: 'a.example.com',
      want: 'preflight/node-name',
    },
    {
      name: 'any, where the config says none',
      given: { kind: 'names', names: ['b.example.com'] },
      want: undefined,
    },
    { name: 'none, where the config says one', given: nothing, hostname: 'a.example.com', want: undefined },
    { name: 'none at all', given: nothing, want: 'preflight/node-name' },
    { name: 'no answer', given: silence, hostname: 'a', want: 'preflight/dns-unanswered' },
  ])('that DNS gives the node: $name', ({ given, hostname, want }) => {
    const sno = hostname === undefined ? {} : { hostname };
    expect(judgeReverse('192.168.126.10', given, subject(sno)).code).toBe(want);
  });
});

const digest = `sha256:${'a'.repeat(64)}`;
const place = (registry: string, isMirror: boolean): PullPlace => ({
  registry,
  repository: `${registry}/ocp/release`,
  reference: digest,
  digest,
  isMirror,
});
const mirror = place('mirror.example.com', true);
const source = place('quay.io', false);

function pulled(...answers: readonly PullAnswer[]): readonly string[] {
  const placeAnswers = [mirror, source].flatMap((each, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ place: each, via: undefined, answer }];
  });
  const image = {
    name: 'release',
    image: `quay.io/ocp/release@${digest}`,
    places: placeAnswers.map((each) => each.place),
    needsSignature: false,
  };
  return problemsOfAnswers(judgePulls(image, placeAnswers)).map(showProblem);
}

describe('an image', () => {
  const found: PullAnswer = { kind: 'found', digest };

  test('is found everywhere', () => {
    expect(pulled(found, found)).toEqual([]);
  });

  test('is found in one registry, with warnings for the others', () => {
    const [said = '', ...more] = pulled({ kind: 'failing', reason: 'the registry failed (HTTP 503)' }, found);
    expect(more).toEqual([]);
    expect(said).toContain('preflight/place-failing');
    expect(said).toContain(
      `cannot pull mirror.example.com/ocp/release@${digest}: the registry failed (HTTP 503); it is available elsewhere`,
    );
  });

  test.each<[PullAnswer, string]>([
    [{ kind: 'missing' }, 'preflight/image-missing'],
    [{ kind: 'refused', reason: 'r' }, 'preflight/registry-refused'],
    [{ kind: 'wrong-digest', digest }, 'preflight/image-digest'],
    [{ kind: 'untrusted', reason: 'r' }, 'preflight/registry-untrusted'],
    [{ kind: 'unreachable', reason: 'r' }, 'preflight/registry-unreachable'],
    [{ kind: 'failing', reason: 'r' }, 'preflight/registry-failing'],
    [{ kind: 'proxy', reason: 'r' }, 'preflight/proxy'],
  ])('is found nowhere: %o', (answer, code) => {
    const checks = pulled(answer, { kind: 'missing' });
    expect(checks).toHaveLength(2);
    expect(checks[0]).toContain(code);
  });

  test('needs its signature in the registry that has it', () => {
    const tag = `${digest.replace(':', '-')}.sig`;
    const image = { name: 'release', image: 'a', places: [mirror], needsSignature: true };
    const judged = (answer: PullAnswer): readonly string[] =>
      problemsOfAnswers(
        judgePulls(image, [{ place: mirror, via: undefined, answer: found, signature: { tag, answer } }]),
      ).map(showProblem);
    expect(judged(found)).toEqual([]);
    const [missing = ''] = judged({ kind: 'missing' });
    expect(missing).toContain('preflight/signature-missing');
    expect(missing).toContain(`mirror.example.com/ocp/release has an image without its signature ${tag}`);
    expect(judged({ kind: 'failing', reason: 'r' }).join()).toContain('preflight/registry-failing');
  });

  test('has no allowed registry', () => {
    expect(pulled().join()).toContain('preflight/image-nowhere');
  });
});

describe('the time', () => {
  const ahead = (aheadSeconds: number): TimeAnswer => ({ kind: 'time', aheadSeconds, stratum: 2 });
  const silent: TimeAnswer = { kind: 'unanswered', reason: 'timed out' };

  test.each<{ name: string; given: readonly TimeAnswer[]; want: readonly string[] }>([
    { name: 'is that of this machine', given: [ahead(0.2), ahead(-59)], want: [] },
    { name: 'is told by one server of two', given: [silent, ahead(0)], want: ['preflight/time-server'] },
    {
      name: 'is told by none',
      given: [silent, { kind: 'unsynchronised' }],
      want: ['preflight/no-time', 'preflight/no-time'],
    },
    {
      name: 'is later here than certificates start before it',
      given: [ahead(-3600)],
      want: ['preflight/clock'],
    },
    {
      name: 'is later here, within what certificates start before it',
      given: [ahead(-3599)],
      want: ['preflight/clock-off'],
    },
    { name: 'is earlier here', given: [ahead(7200)], want: ['preflight/clock-off'] },
  ])('$name', ({ given, want }) => {
    const answers = given.map((answer, index) => ({ server: `time${index}.example.com`, answer }));
    expect(judgeTime(answers, 3600).flatMap(({ code }) => code ?? [])).toEqual(want);
  });
});
