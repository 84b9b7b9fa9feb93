import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { snapshot } from '../support/command.js';
import { ageKeys } from '../support/age-keys.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const stateName = '.sno-install-state.json';
const recordName = '.sno-install-record.json';
const { ours, others } = ageKeys;
/** A field of every state; its presence shows that a file is not encrypted. */
const plainText = '"generatedValuesDigest"';
const configured = snoConfigText(`state: { recipients: [${ours.recipient}] }\n`);

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
});

/** Succeeds only with an identity that decrypts the state. */
const open = ['state', 'decrypt', '--out', '-', '--identity'];

/** A folder with a site and the identities of two users. */
function folder(files: Readonly<Record<string, string>> = {}): string {
  const dir = scratchFolder();
  const all = {
    'install-config.yaml': minimalInstallConfig,
    'ours.key': `# public key: ${ours.recipient}\n${ours.identity}\n`,
    'others.key': `${others.identity}\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(dir, name), text, { mode: 0o600 });
  return dir;
}

const stored = (dir: string): string => readFileSync(join(dir, stateName), 'utf8');

function run(dir: string, ...args: readonly string[]): Promise<CommandOutput> {
  const files = args.map((arg) => (arg.endsWith('.key') || arg.endsWith('.json') ? join(dir, arg) : arg));
  return snoInProcess([...files, '--dir', dir]);
}

const failing = (code: string): object => ({
  code: 1,
  stderr: expect.stringContaining(`error[${code}]`) as string,
});

describe('with recipients in sno-config.yaml', () => {
  it('writes an encrypted state, and not again without changes', async () => {
    const dir = folder({ 'sno-config.yaml': configured, 'other.json': state });
    const create = ['create', 'manifests', '--identity', 'ours.key'];

    const first = await run(dir, ...create, '--state', 'other.json');
    const written = stored(dir);
    const again = await run(dir, ...create);

    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(written).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    expect([again.code, stored(dir)]).toEqual([0, written]);
    expect(await run(dir, 'create', 'manifests')).toMatchObject(failing('state/no-identity'));
    expect(await run(dir, ...open, 'others.key')).toMatchObject(failing('state/wrong-identity'));
  });

  it('a plain state of before is encrypted by the next run, and not decrypted in its place', async () => {
    const dir = folder({ 'sno-config.yaml': configured, [stateName]: state });

    expect(await run(dir, 'create', 'manifests')).toMatchObject({ code: 0, stderr: '' });
    const before = snapshot(dir);

    expect(stored(dir)).not.toContain(plainText);
    const decrypt = await run(dir, 'state', 'decrypt', '--identity', 'ours.key');
    expect(decrypt).toMatchObject(failing('state/recipients-configured'));
    expect(snapshot(dir)).toEqual(before);
  });

  it('reports each invalid recipient at its location, and writes no files', async () => {
    const list = `state:\n  recipients:\n    - ${ours.recipient}\n    - ssh-ed25519 AAAA\n    - ${others.identity}\n`;
    const dir = folder({ 'sno-config.yaml': snoConfigText(list), [stateName]: state });
    const before = snapshot(dir);

    const { code, stderr } = await run(dir, 'create', 'manifests');

    expect(code).toBe(1);
    expect(stderr).toContain('error[state/recipient]: state.recipients[1] is an SSH key');
    expect(stderr).toContain('error[state/recipient]: state.recipients[2] is an identity');
    expect(stderr).toMatch(/sno-config\.yaml:6:7 \(state\.recipients\[1\]\)/);
    expect(stderr).not.toContain(others.identity.slice(0, 30));
    expect(snapshot(dir)).toEqual(before);
  });
});

describe('without what opens the state', () => {
  /** A folder with the files that Git has: the encrypted state, outputs and generated manifests. */
  async function cloned(more = ''): Promise<string> {
    const dir = folder({ 'sno-config.yaml': configured + more, [stateName]: state });
    for (const target of ['manifests', 'single-node-ignition-config'])
      expect(await run(dir, 'create', target, '--identity', 'ours.key')).toMatchObject({ code: 0 });
    return dir;
  }
  const resultOf = (command: readonly string[], dir: string): Promise<CommandOutput> => run(dir, ...command);
  const outcomeIn = ({ code, stderr }: CommandOutput): unknown => [
    code,
    stderr.match(/(?:error|warning)\[[^\]]*\].*/g),
  ];
  const warning =
    'warning[state/not-read]: the inputs are checked without .sno-install-state.json: it is encrypted, and neither an identity nor a passphrase was given';

  it('validate checks the inputs with a warning, and writes no files', async () => {
    const dir = await cloned();
    const before = snapshot(dir);
    expect(outcomeIn(await resultOf(['validate'], dir))).toEqual([0, [warning]]);
    expect(outcomeIn(await resultOf(['validate', '--identity', 'ours.key'], dir))).toEqual([0, null]);
    expect(outcomeIn(await resultOf(['images'], dir))).toEqual([0, [warning]]);
    expect(snapshot(dir)).toEqual(before);
  });

  it('all that is wrong with the inputs is found as with it', async () => {
    const dir = await cloned();
    const text = minimalInstallConfig.replace(/^baseDomain:.*$/m, 'baseDomain: example_com');
    writeFileSync(join(dir, 'install-config.yaml'), text);
    const [, found] = outcomeIn(await resultOf(['validate'], dir)) as [number, readonly string[]];
    const [code, known] = outcomeIn(await resultOf(['validate', '--identity', 'ours.key'], dir)) as [
      number,
      string[],
    ];
    expect([code, found]).toEqual([1, [warning, ...known]]);
    expect(known.join()).toContain('error[config/base-domain]');
  });

  it('preflight sends all queries', async () => {
    const dir = folder({ 'sno-config.yaml': configured, [stateName]: state });
    await run(dir, 'create', 'manifests');
    // There is no name server, so only loopback addresses are contacted.
    const { stdout } = await resultOf(
      ['preflight', '--dns-server', '127.0.0.1:1', '--timeout', '1s', '--output', 'json'],
      dir,
    );
    const { problems, answers } = JSON.parse(stdout) as {
      problems: readonly { code: string }[];
      answers: readonly object[];
    };
    expect(problems[0]).toMatchObject({ code: 'state/not-read' });
    expect(answers.length).toBeGreaterThan(0);
  });

  it('is required if it was named or needs another identity', async () => {
    const dir = await cloned();
    expect(await run(dir, 'validate', '--state', stateName)).toMatchObject(failing('state/no-identity'));
    expect(await run(dir, 'validate', '--identity', 'others.key')).toMatchObject(
      failing('state/wrong-identity'),
    );
  });

  it('whatever writes does not go without', async () => {
    const dir = await cloned();
    const before = snapshot(dir);
    for (const target of ['manifests', 'single-node-ignition-config', 'aio-ignition'])
      expect(await run(dir, 'create', target)).toMatchObject(failing('state/no-identity'));
    expect(snapshot(dir)).toEqual(before);
  });

  it('accepts outputs that are encrypted with the passphrase of the state', async () => {
    const dir = folder({ [stateName]: state, 'phrase.key': 'a throwaway passphrase\n' });
    await run(dir, 'state', 'encrypt', '--passphrase-file', 'phrase.key');
    writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText('state: { encryptOutputs: true }\n'));
    expect(outcomeIn(await resultOf(['validate', '--output', 'text'], dir))).toEqual([0, [warning]]);
  });
});

describe('an encrypted state', () => {
  it('stays encrypted to those it was encrypted to, whatever is changed', async () => {
    const dir = folder({ [stateName]: state });
    await run(dir, 'state', 'encrypt', '--recipient', others.recipient, '--recipient', ours.recipient);
    const encrypted = stored(dir);

    expect(await run(dir, 'create', 'manifests', '--identity', 'ours.key')).toMatchObject({ code: 0 });

    expect(stored(dir)).not.toBe(encrypted);
    expect(stored(dir)).not.toContain(plainText);
    expect(await run(dir, ...open, 'others.key')).toMatchObject({ code: 0 });
  });

  it('is encrypted to other recipients only by --recipient, without other changes', async () => {
    const dir = folder({ [stateName]: state });
    await run(dir, 'create', 'manifests', '--recipient', ours.recipient);
    const outputs = snapshot(join(dir, 'manifests'));

    await run(dir, 'create', 'manifests', '--identity', 'ours.key', '--recipient', others.recipient);

    expect(await run(dir, ...open, 'ours.key')).toMatchObject(failing('state/wrong-identity'));
    expect(await run(dir, ...open, 'others.key')).toMatchObject({ code: 0 });
    expect(snapshot(join(dir, 'manifests'))).toEqual(outputs);
  });

  it('from elsewhere does not become plain text here', async () => {
    const dir = folder({ 'other.json': state });
    await run(dir, 'state', 'encrypt', '--state', 'other.json', '--recipient', ours.recipient);

    const made = await run(dir, 'create', 'manifests', '--state', 'other.json', '--identity', 'ours.key');

    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(stored(dir)).not.toContain(plainText);
  });

  it('without a word of its recipients in it, as age alone writes it, is not written over', async () => {
    const { encryptAge } = await import('../../src/formats/age.js');
    const dir = folder({ [stateName]: await encryptAge(state, { recipients: [ours.recipient] }) });
    const before = snapshot(dir);

    const made = await run(dir, 'create', 'manifests', '--identity', 'ours.key');

    expect(made).toMatchObject(failing('state/no-recipients'));
    expect(snapshot(dir)).toEqual(before);
  });

  it('is reported as damaged', async () => {
    const dir = folder({ [stateName]: state });
    await run(dir, 'state', 'encrypt', '--recipient', ours.recipient);
    writeFileSync(join(dir, stateName), stored(dir).replace(/.{64}\n(?=[^\n]*\n-----END)/, ''), {
      mode: 0o600,
    });

    const result = await run(dir, ...open, 'ours.key');

    expect(result).toMatchObject(failing('dir/state-unreadable'));
  });
});

describe('state', () => {
  it('encrypt, rotate and decrypt restore the original state', async () => {
    const dir = folder();
    await run(dir, 'create', 'manifests', '--recipient', ours.recipient);
    await run(dir, 'state', 'decrypt', '--identity', 'ours.key');
    const plain = stored(dir);
    expect(plain).toContain(plainText);

    const names = ['encrypt', 'rotate', 'rotate', 'decrypt'] as const;
    const options = [
      ['--recipient', ours.recipient],
      ['--identity', 'ours.key'],
      ['--identity', 'ours.key', '--recipient', others.recipient],
      ['--identity', 'others.key'],
    ];
    const seen = new Set<string>();
    for (const [index, name] of names.entries()) {
      expect(await run(dir, 'state', name, ...(options[index] ?? []))).toMatchObject({ code: 0, stderr: '' });
      seen.add(stored(dir));
    }

    expect(seen.size).toBe(4);
    expect(stored(dir)).toBe(plain);
    expect(readdirSync(dir).filter((name) => name.startsWith('.sno'))).toEqual([recordName, stateName]);
  });

  it('decrypt --out writes the text elsewhere, and leaves the file', async () => {
    const dir = folder({ [stateName]: state });
    await run(dir, 'state', 'encrypt', '--recipient', ours.recipient);
    const encrypted = stored(dir);
    const out = ['state', 'decrypt', '--identity', 'ours.key', '--out'];

    const printed = await run(dir, ...out, '-');
    const written = await run(dir, ...out, 'plain.json');
    const twice = await run(dir, ...out, 'plain.json');

    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain(plainText);
    expect([written.code, readFileSync(join(dir, 'plain.json'), 'utf8')]).toEqual([0, printed.stdout]);
    expect(twice).toMatchObject(failing('dir/file-exists'));
    expect(twice.stderr).toContain('= hint: choose another file with --out\n');
    expect(stored(dir)).toBe(encrypted);
  });

  const cases = [
    { name: 'encrypt without a recipient', args: ['encrypt'], want: 'state/no-recipients' },
    { name: 'decrypt of plain text', args: ['decrypt'], want: 'state/already' },
    { name: 'rotate of plain text', args: ['rotate'], want: 'state/already' },
    {
      name: 'encrypt to an identity',
      args: ['encrypt', '--recipient', ours.identity],
      want: 'state/recipient',
    },
    {
      name: 'encrypt to a file of identities',
      args: ['encrypt', '--recipients-file', 'ours.key'],
      want: 'state/recipient',
    },
    { name: 'no identity in the file', args: ['rotate', '--identity', 'other.json'], want: 'state/already' },
    { name: 'encrypt of no file', args: ['encrypt', '--state', 'none.json'], want: 'state/absent' },
  ];
  it.each(cases)('rejects $name, and writes no files', async ({ args, want }) => {
    const dir = folder({ [stateName]: state, 'other.json': state });
    const before = snapshot(dir);

    const result = await run(dir, 'state', ...args);

    expect(result).toMatchObject(failing(want));
    expect(result.stderr).not.toContain(ours.identity);
    expect(snapshot(dir)).toEqual(before);
  });

  it('rejects encrypt of an encrypted state, and a missing identity', async () => {
    const dir = folder({ [stateName]: state, 'other.json': state });
    await run(dir, 'state', 'encrypt', '--recipient', ours.recipient);
    const before = snapshot(dir);

    const again = await run(dir, 'state', 'encrypt', '--recipient', ours.recipient, '--identity', 'ours.key');
    const keyless = await run(dir, 'state', 'rotate', '--identity', 'other.json');

    expect([again, keyless]).toMatchObject([failing('state/already'), failing('state/identity')]);
    expect(snapshot(dir)).toEqual(before);
    rmSync(join(dir, stateName));
    expect(await run(dir, 'state', 'rotate', '--identity', 'ours.key')).toMatchObject(
      failing('state/absent'),
    );
  });
});
