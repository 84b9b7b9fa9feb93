import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';

import { faults } from '../../src/analysis/faults/all-faults.js';
import type { Sign } from '../../src/analysis/faults/signs.js';
import { flow } from '../../src/analysis/stages.js';

const folders = [
  'templates/aio/usr/local/bin',
  'templates/live/usr/local/bin',
  'templates/live/opt/openshift/bootstrap-in-place',
  'templates/payload/installed/usr/local/bin',
  'templates/payload/usr/local/bin',
  'templates/post-install/usr/local/bin',
];
const sources = new Map(
  folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sh'))
      .map((name) => [name, code(readFileSync(join(folder, name), 'utf8'))] as const),
  ),
);

function code(text: string): string {
  return text.replace(/^\s*#.*$/gm, '');
}

/** A shell expansion, `${…}` or `$(…)`, or jq's `\(…)`, nested up to three deep. */
const inner = String.raw`(?:[^(){}]|\([^(){}]*\)|\{[^(){}]*\})*`;
const middle = String.raw`(?:[^(){}]|\(${inner}\)|\{${inner}\})*`;
const expansion = String.raw`(?:\$\{${middle}\}|\$\(${middle}\)|\\\(${middle}\))`;

/** Whether a script contains the text; each `*` in the text matches an expansion. */
function isIn(source: string, text: string): boolean {
  const parts = text.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join(`(?:${expansion})+`)).test(source);
}

/** The texts that a sign expects in scripts, each with its script. */
function textsOf(sign: Sign): readonly (readonly [script: string, text: string])[] {
  if ('program' in sign) return [];
  if ('waitsFor' in sign) return [[sign.script, sign.waitsFor]];
  const because = typeof sign.because === 'string' ? [[sign.script, sign.because] as const] : [];
  return [[sign.script, sign.says], ...because];
}

const texts = faults.flatMap(({ id, signs }) => signs.flatMap(textsOf).map((each) => [id, ...each] as const));

describe('signs of a fault', () => {
  test.each(texts)('%s: %s prints "%s"', (_id, script, text) => {
    const source = sources.get(script);
    expect(source, `${script} is gone`).toBeDefined();
    // A text may end in a variable part, which is not in the source.
    expect(isIn(source ?? '', text.replace(/\*$/, ''))).toBe(true);
  });

  it('is looked for in a text that the script could not print without it', () => {
    const source = sources.get('sno-checks.sh') ?? '';
    expect(isIn(source, 'the machine has * MiB of memory; the installation needs * MiB')).toBe(true);
    expect(isIn(source, 'the machine has * GiB of memory; the installation needs * MiB')).toBe(false);
    expect(isIn(source, 'the * has * MiB of memory')).toBe(false);
    expect(isIn(source, 'missing on this machine: * MiB')).toBe(false);
  });

  it('uses the words of the shared waits', () => {
    expect(isIn(sources.get('sno-common.sh') ?? '', 'timed out after * s waiting for *')).toBe(true);
    expect(isIn(sources.get('sno-common.sh') ?? '', 'waiting for *, at most * s')).toBe(true);
    expect(isIn(sources.get('sno-common.sh') ?? '', 'still waiting for *: * s of * s')).toBe(true);
    expect(sources.get('sno-common.sh')).toContain('log "stage ${stage_name}"');
  });

  it('have a source for output of other programs', () => {
    const programs = faults.flatMap(({ signs }) => signs.filter((sign) => 'program' in sign));
    expect(programs.length).toBeGreaterThan(5);
    expect(programs.filter(({ source }) => source.length < 10)).toEqual([]);
  });
});

/** Messages that a script ends with and that need no fault: the underlying fault says more, or the text is generic. */
const needNoFault = [
  '*',
  'timed out after * s waiting for *',
  '* has no *',
  'the release image * is not on this machine yet',
  'exactly one pulled image is expected in *, found: *',
  'exactly one deployment is expected, found: *',
  'wave *: * objects failed; later waves are not applied',
  // These messages contain the fix.
  'etcd would use the address *, but the node uses *: leave one address in *, make machineNetwork smaller, or use controlPlane.render: Installer',
  'the API server did not answer at * (*) during the bootstrap: let the load balancer forward port 6443 to this machine, also for requests from this machine',
];

/** The arguments of `fail` and `refuse` in a script, with `*` for variable parts. */
function messagesIn(source: string): readonly string[] {
  const quoted = [...source.matchAll(/\b(?:fail|refuse) (?:"([^"]*)"|'([^']*)')/g)];
  return quoted.map(([, double = '', single = '']) =>
    (double === '' ? single : double).replace(new RegExp(`(?:${expansion})+`, 'g'), '*'),
  );
}

describe('errors of scripts', () => {
  const known = texts.map(([, , text]) => text.replace(/\*$/, ''));
  // An all-in-one node renews each certificate separately. The result of each is in the outcome, which has a fault.
  const ofNode = readdirSync('templates/aio/usr/local/bin');
  const messages = [...sources]
    .filter(([name]) => !ofNode.includes(name) || name === 'aiokube.sh')
    .flatMap(([name, source]) => messagesIn(source).map((message) => ({ name, message })));

  it('is found in the scripts', () => {
    expect(messages.length).toBeGreaterThan(30);
  });

  test.each(messages)('$name: "$message" is known to a fault of src/analysis', ({ message }) => {
    const isKnown = known.some((text) => text !== '' && message.startsWith(text));
    expect(isKnown || needNoFault.includes(message)).toBe(true);
  });
});

describe('the table of faults', () => {
  it('has unique IDs and texts in one form', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    for (const { id, title, cause, fix, signs } of faults) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(title, id).toMatch(/^[a-z*A-Z].*[^.]$/);
      expect(cause, id).toMatch(/[.)]$/);
      expect(fix, id).toMatch(/[.…)]$|wwn-…$/);
      expect(signs.length, id).toBeGreaterThan(0);
    }
  });
});

describe('the table of stages', () => {
  const named = /\b(?:run_stage|run_always|try_stage) ([a-z0-9-]+)/g;
  const stagesIn = (phase: string, script: string) =>
    [
      ...code(readFileSync(join('templates', phase === 'aio' ? 'aio' : 'live', script), 'utf8')).matchAll(
        named,
      ),
    ].map(([, stage]) => stage);

  it.each(flow.map(({ phase, service, scripts, stages }) => ({ phase, service, scripts, stages })))(
    '$phase $service: the stages of its scripts, in their order',
    ({ phase, scripts, stages }) => {
      expect(scripts.flatMap((script) => stagesIn(phase, script))).toEqual(stages);
    },
  );

  it('contains the optional stages', () => {
    const optional = flow.flatMap((each) => ('optionalStages' in each ? each.optionalStages : []));
    const tried = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/\btry_stage ([a-z0-9-]+)/g)].map(([, stage]) => stage),
    );
    expect(optional.toSorted()).toEqual(tried.toSorted());
  });

  it('contains every unit with service records', () => {
    const scripts = flow.flatMap((each) => [...each.scripts]).map((path) => path.split('/').at(-1) ?? '');
    const recording = [...sources].filter(
      ([name, source]) =>
        name !== 'bootstrap-service-record.sh' && /^\s*record_begin(_command .*)?$/m.test(source),
    );
    // The kubelet's pause image is pulled by a pre-command; its entries are in the record of the kubelet.
    const preCommands = ['kubelet-pause-image.sh'];
    expect(recording.map(([name]) => name).toSorted()).toEqual([...scripts, ...preCommands].toSorted());
  });
});
