import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { ageKeys } from '../support/age-keys.js';
import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const stateName = '.sno-install-state.json';
const recordName = '.sno-install-record.json';
const { ours, others } = ageKeys;
const encrypted = `state: { recipients: [${ours.recipient}], encryptOutputs: true }\n`;
const changed = 'ntpSources: [time.example.com]\n';

let state = '';
let variables: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
  // Fixed, so that two sites issue their certificates in the same second.
  variables = { SOURCE_DATE_EPOCH: String(Math.floor(Date.now() / 1000)) };
});

const run = (args: readonly string[]): Promise<CommandOutput> => snoInProcess(args, { variables });

function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o600 });
}

/** A site for which `create` ran once. */
async function createdSite(snoConfig = ''): Promise<string> {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  write(dir, { 'install-config.yaml': minimalInstallConfig, [stateName]: state });
  write(dir, { 'sno-config.yaml': snoConfigText(snoConfig), '../key': ours.identity });
  expect(await create(dir)).toMatchObject(done);
  return dir;
}

const done = { code: 0, stderr: '' };
const failing = (code: string): object => ({
  code: 1,
  stderr: expect.stringContaining(`error[${code}]`) as string,
});

function create(dir: string, target = 'single-node-ignition-config'): Promise<CommandOutput> {
  return run(['create', target, '--dir', dir, '--identity', join(dir, '../key')]);
}

/** A copy of the directory as Git makes it, without the record. */
function clone(dir: string): string {
  const copy = join(scratchFolder(), 'site');
  cpSync(dir, copy, { recursive: true });
  cpSync(join(dir, '../key'), join(copy, '../key'));
  rmSync(join(copy, recordName));
  return copy;
}

/** Files of a directory whose bytes differ in another, sorted. */
function differing(before: object, after: object): readonly string[] {
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].filter((name) => left.get(name) !== right.get(name)).sort();
}

const ignition = 'bootstrap-in-place-for-live-iso.ign';

describe.each([
  ['plain', '', ''],
  ['encrypted', encrypted, '.age'],
])('a change of an input, %s', (_form, snoConfig, suffix) => {
  const after = [recordName, `${ignition}${suffix}`, 'receipt.json', 'sno-config.yaml'].sort();

  it('does not change the state', async () => {
    const dir = await createdSite(snoConfig);
    const before = snapshot(dir);
    write(dir, { 'sno-config.yaml': snoConfigText(`${snoConfig}${changed}`) });
    expect(await create(dir)).toMatchObject(done);
    expect(differing(before, snapshot(dir))).toEqual(after);
  });

  it('changes the same files in a clone without the record', async () => {
    const dir = await createdSite(snoConfig);
    const copy = clone(dir);
    write(copy, { 'sno-config.yaml': snoConfigText(`${snoConfig}${changed}`) });
    expect(await create(copy)).toMatchObject(done);
    expect(differing(snapshot(dir), snapshot(copy))).toEqual(after);
  });

  it('is not needed for a clone, whose first run writes the record only', async () => {
    const dir = await createdSite(snoConfig);
    const copy = clone(dir);
    expect(await create(copy)).toMatchObject(done);
    expect(differing(snapshot(dir), snapshot(copy))).toEqual([]);
  });
});

describe('outputs of another copy', () => {
  it('replace those of the record, and are replaced for other inputs', async () => {
    const dir = await createdSite();
    const copy = clone(dir);
    await create(copy);
    const first = snapshot(copy);
    write(dir, { 'sno-config.yaml': snoConfigText(changed) });
    await create(dir);
    const record = readFileSync(join(copy, recordName));
    cpSync(dir, copy, { recursive: true });
    writeFileSync(join(copy, recordName), record);

    expect(await create(copy)).toMatchObject(done);
    expect(differing(snapshot(dir), snapshot(copy))).toEqual([]);

    writeFileSync(join(copy, recordName), record);
    write(copy, { 'sno-config.yaml': snoConfigText('') });
    expect(await create(copy)).toMatchObject(done);
    expect(differing(first, snapshot(copy))).toEqual([]);
  });

  it('are encrypted again after the recipients changed', async () => {
    const dir = await createdSite(encrypted);
    const both = `state: { recipients: [${ours.recipient}, ${others.recipient}], encryptOutputs: true }\n`;
    write(dir, { 'sno-config.yaml': snoConfigText(both) });
    const key = ['--dir', dir, '--identity', join(dir, '../key')];
    expect(await run(['state', 'rotate', ...key])).toMatchObject({ code: 0 });
    const copy = clone(dir);
    expect(await create(copy)).toMatchObject(done);
    const files = differing(snapshot(dir), snapshot(copy)).filter((name) => name.endsWith('.age'));
    expect(files).toEqual([
      'auth/kubeadmin-password.age',
      'auth/kubeconfig.age',
      `${ignition}.age`,
      'worker.ign.age',
    ]);
    const once = snapshot(copy);
    expect(await create(copy)).toMatchObject(done);
    expect(differing(once, snapshot(copy))).toEqual([]);
  });
});

describe('in a clone without the record', () => {
  it('an edited output is not overwritten', async () => {
    const copy = clone(await createdSite());
    appendFileSync(join(copy, 'worker.ign'), ' ');
    expect(await create(copy)).toMatchObject(failing('dir/output-edited'));
  });

  it('edited, unchanged and deleted manifests differ in the record', async () => {
    const dir = await createdSite();
    expect(await create(dir, 'manifests')).toMatchObject(done);
    const copy = clone(dir);
    appendFileSync(join(copy, 'manifests/cluster-config.yaml'), '# mine\n');
    rmSync(join(copy, 'manifests/kube-system-configmap-root-ca.yaml'));
    write(copy, { 'install-config.yaml': minimalInstallConfig.replace(/^sshKey:.*$/m, '') });
    const { code, stderr } = await create(copy, 'manifests');
    expect([code, stderr.match(/^\w+\[[^\]]*\]/gm)]).toEqual([
      0,
      ['warning[manifest/edit-outlives-inputs]', 'warning[manifest/deleted]'],
    ]);
  });
});

describe('a record', () => {
  it('of another cluster is not used', async () => {
    const dir = await createdSite();
    const other = await throwawayState(
      { 'install-config.yaml': minimalInstallConfig },
      { 'uuid/cluster': '00000000-0000-4000-8000-000000000000' },
    );
    write(dir, { [stateName]: other });
    expect(await create(dir)).toMatchObject(failing('dir/output-edited'));
  });

  it.each(['', '{', '[]', '{"version":2}'])('with the text %j is not used', async (text) => {
    const dir = await createdSite();
    const before = snapshot(dir);
    write(dir, { [recordName]: text });
    expect(await create(dir)).toMatchObject(done);
    expect(differing(before, snapshot(dir))).toEqual([]);
  });

  it('has no hash from which a secret in an input could be guessed', async () => {
    const dir = await createdSite();
    const { lastRuns } = JSON.parse(readFileSync(join(dir, recordName), 'utf8')) as { lastRuns: object };
    expect(Object.values(lastRuns).map((each: object) => Object.keys(each))).toEqual([
      [
        'program',
        'questions',
        'fingerprint',
        'outputs',
        'warnings',
        'embedded',
        'liveImage',
        'bootableFrom',
        'bootableUntil',
      ],
    ]);
  });
});
