import { chmodSync, chownSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { withSecrets } from '../../src/fleet/table/site-secrets.js';
import { secretVariables } from '../../src/fleet/review/secret-variables.js';
import { snoInProcess } from '../support/in-process.js';
import { snoConfigText } from '../support/minimal-config.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';
import { fleetFiles, fleetFolder, fleetText, noProgress, problemLine } from './files.js';

/** A program that prints a secret of the site and notes each call. */
function tool(script: string): string {
  const path = join(scratchFolder(), 'tool');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function secretsText(...secrets: readonly (readonly [name: string, command: readonly string[]])[]): string {
  return `secrets:\n${secrets.map(([name, command]) => `  ${name}: {command: ${JSON.stringify(command)}}\n`).join('')}`;
}

async function valuesOf(
  dir: string,
  limitMs = 10_000,
): Promise<{ readonly values: readonly unknown[]; readonly problems: readonly string[] }> {
  const { rows, table } = await withSecrets(expectOk(openFleet(dir)), {
    ...{ dir, isAllowed: false, jobs: 2, limitMs, showProgress: noProgress },
  });
  expect(table.rows).toEqual(rows);
  return {
    values: rows.map(({ variables }) => variables.known.get('token')?.value),
    problems: rows.flatMap(({ layer }) => layer?.problems ?? []).map(problemLine),
  };
}

const manifest =
  'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\nstringData: {token: "${token}"}\n';

function folderOf(command: readonly string[], more = ''): string {
  return fleetFolder({
    'fleet.yaml': fleetText(secretsText(['token', command]) + more),
    'base/manifests/a.yaml': manifest,
  });
}

describe('secrets of a fleet', () => {
  test('are what the command prints for each site, without a shell', async () => {
    const dir = folderOf(['printf', '%s\\n\\n', '${name} $(id) ${ip}; "x"']);
    const { values, problems } = await valuesOf(dir);
    expect([values, problems]).toMatchObject([
      [{ value: 'north-1 $(id) 192.168.126.10; "x"' }, { value: 'north-2 $(id) 192.168.126.11; "x"' }],
      [],
    ]);
  });

  test.each([
    ['ends with an error', ['sh', '-c', 'echo s3cr3t; echo s3cr3t >&2; exit 3'], 'ended with 3'],
    ['does not exist', ['no-such-program', 's3cr3t'], 'names a program that does not exist'],
    ['prints nothing', ['sh', '-c', 'echo; echo s3cr3t >&2'], 'prints nothing'],
    ['prints bytes that are no text', ['printf', '\\377s3cr3t'], 'prints no UTF-8 text'],
    ['takes too long', ['sh', '-c', 'echo s3cr3t; exec sleep 60'], 'was stopped after 0.5 seconds'],
    ['prints too much', ['sh', '-c', 'yes s3cr3t | head -c 2000000'], 'prints more than 1048576 bytes'],
  ])('are a problem of each site if the command %s, whose output is not shown', async (_, command, want) => {
    const { problems } = await valuesOf(folderOf(command), 500);
    expect([...new Set(problems)]).toEqual([
      `fleet.yaml:5:3 fleet/secret: the command of secret "token" ${want}`,
    ]);
    expect(problems).toHaveLength(2);
  });

  test('of a command with an unknown variable are a problem at its word', async () => {
    const { problems } = await valuesOf(folderOf(['echo', '${nmae}', '${token}']));
    expect(problems.slice(0, 2)).toEqual([
      'fleet.yaml:5:28 fleet/variable: variable "nmae" is not defined',
      'fleet.yaml:5:38 fleet/variable: variable "token" is not defined',
    ]);
  });

  test.each([
    { name: 'each site', names: undefined, want: ['reading secrets of sites: 2', '1', '2', 'done'] },
    { name: 'nothing without a needed secret', names: ['other'], want: [] },
  ])('show the progress: $name', async ({ names, want }) => {
    const dir = folderOf(['echo', 'x']);
    const shown: string[] = [];
    await withSecrets(expectOk(openFleet(dir)), {
      ...{ dir, isAllowed: false, jobs: 1, ...(names && { names: new Set(names) }) },
      showProgress: (total, doing = '') => {
        shown.push(`${doing}: ${total}`);
        return { onSite: (count) => void shown.push(`${count}`), done: () => void shown.push('done') };
      },
    });
    expect(shown).toEqual(want);
  });

  test('are secret by any name', () => {
    const dir = fleetFolder({
      'fleet.yaml': fleetText(secretsText(['plain', ['a']])),
      'base/manifests/a.yaml': manifest.replace('stringData: {token: "${token}"}', 'data: {a: "${plain}"}'),
    });
    expect([...secretVariables(expectOk(openFleet(dir)))]).toContain('plain');
  });
});

describe('only needed secrets are fetched', () => {
  const secrets = secretsText(
    ['token', ['echo', 'a']],
    ['password', ['echo', 'b']],
    ['ofClass', ['echo', 'c']],
    ['ofOverride', ['echo', 'd']],
    ['ofRaw', ['echo', 'e']],
  );
  const files = {
    'fleet.yaml': fleetText(
      `${secrets}classes: ["\${kind}"]\nraw: [base/manifests/raw.yaml]\nboot: {address: "redfish+https://b/\${name}", username: a, password: "\${password}"}\n`,
    ),
    'sites.csv': 'name,ip,kind\nnorth-1,192.168.126.10,big\nnorth-2,192.168.126.11,small\n',
    'base/manifests/a.yaml': manifest,
    'base/manifests/raw.yaml': manifest.replace('token}', 'ofRaw}'),
    'classes/big/manifests/b.yaml': manifest.replace('token}', 'ofClass}'),
    'classes/small/manifests/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
    'overrides/north-2/manifests/a.yaml': 'stringData: {other: "${ofOverride}"}\n',
  };

  async function fetched(names?: readonly string[]): Promise<readonly unknown[]> {
    const dir = fleetFolder(files);
    const access = {
      ...{ dir, isAllowed: false, jobs: 1, showProgress: noProgress },
      ...(names && { names: new Set(names) }),
    };
    const { rows } = await withSecrets(expectOk(openFleet(dir)), access);
    return rows.map(({ variables: { known } }) =>
      ['token', 'password', 'ofClass', 'ofOverride', 'ofRaw'].filter((name) => known.has(name)),
    );
  }

  test('by the files of a site', async () => {
    expect(await fetched()).toEqual([
      ['token', 'ofClass'],
      ['token', 'ofOverride'],
    ]);
  });

  test('by the login of a BMC', async () => {
    expect(await fetched(['password'])).toEqual([['password'], ['password']]);
  });
});

describe('the commands of a fleet that another user controls', () => {
  const stranger = 4711;
  const cases: readonly {
    readonly name: string;
    readonly change: (dir: string) => void;
    readonly want?: string;
    readonly isAllowed?: true;
  }[] = [
    {
      name: 'are not run if fleet.yaml belongs to another user',
      change: (dir) => {
        chownSync(join(dir, 'fleet.yaml'), stranger, stranger);
      },
      want: `it belongs to user ${stranger}`,
    },
    {
      name: 'are not run if the folder belongs to another user',
      change: (dir) => {
        chownSync(dir, stranger, stranger);
      },
      want: `its folder belongs to user ${stranger}`,
    },
    {
      name: 'are not run if others can write fleet.yaml',
      change: (dir) => {
        chmodSync(join(dir, 'fleet.yaml'), 0o666);
      },
      want: 'other users can write to it (mode 0666)',
    },
    {
      name: 'are not run if others can write the folder',
      change: (dir) => {
        chmodSync(dir, 0o777);
      },
      want: 'other users can write to its folder (mode 0777)',
    },
    {
      name: 'are run with --allow-commands',
      change: (dir) => {
        chownSync(dir, stranger, stranger);
      },
      isAllowed: true,
    },
    {
      name: 'are run if the user of sudo owns it',
      change: (dir) => {
        chownSync(dir, stranger, stranger);
        chownSync(join(dir, 'fleet.yaml'), stranger, stranger);
        vi.stubEnv('SUDO_UID', String(stranger));
      },
    },
    {
      name: 'are run if the folder above is safe for Git',
      change: (dir) => {
        chownSync(dir, stranger, stranger);
        const home = scratchFolder();
        writeFileSync(
          join(home, '.gitconfig'),
          `[safe]\n  directory = /other\n  directory = ${realpathSync(dirname(dir))}/*\n`,
        );
        vi.stubEnv('HOME', home);
        vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
      },
    },
  ];
  test.skipIf(process.geteuid?.() !== 0).each(cases)('$name', async ({ change, want, isAllowed = false }) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HOME', scratchFolder());
    const dir = folderOf(['echo', 'x']);
    change(dir);
    const { rows } = await withSecrets(expectOk(openFleet(dir)), {
      ...{ dir, isAllowed, jobs: 2, showProgress: noProgress },
    });
    const [problems] = rows.map(({ layer }) => (layer?.problems ?? []).map(problemLine));
    expect(problems).toEqual(
      want === undefined
        ? []
        : [`fleet.yaml:5:3 fleet/secret: the command of secret "token" in fleet.yaml is not run: ${want}`],
    );
    expect(rows.map(({ variables }) => variables.known.has('token'))).toEqual(
      rows.map(() => want === undefined),
    );
  });
});

test.each([
  ['no program', fleetText('secrets:\n  token: {command: []}\n'), 'fleet.yaml:6:20'],
  ['the name of a variable', fleetText('variables: {token: a}\nsecrets:\n  token: {command: [a]}\n'), ''],
  ['the name of the site', fleetText('secrets:\n  name: {command: [a]}\n'), ''],
  ['the name of a column', fleetText('secrets:\n  ip: {command: [a]}\n'), ''],
])('a secret with %s is an error', (_, text) => {
  const read = openFleet(fleetFolder({ 'fleet.yaml': text }));
  expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(['fleet/secret']);
});

describe('fleet create', () => {
  const config = snoConfigText(
    'certificates: {keyAlgorithm: ECDSA-P256}\nhostname: ${name}\nnodeIP: ${ip}\n',
  );
  const installConfig = (fleetFiles['base/install-config.yaml'] ?? '').replace(
    /^pullSecret:.*$/m,
    'pullSecret: ${pullSecret}',
  );

  function laidFleet(): {
    readonly dir: string;
    readonly calls: () => readonly string[];
    readonly change: (to: string) => void;
  } {
    const [notes, value] = [join(scratchFolder(), 'calls'), join(scratchFolder(), 'value')];
    writeFileSync(value, 's3cr3t');
    const path = tool(`echo "$@" >> ${notes}
[ "$2" = north-2 ] && [ "$(cat ${value})" = fail ] && { echo s3cr3t >&2; exit 1; }
printf '{"auths":{"quay.io":{"auth":"%s"}}}' "$(printf 'user:%s-%s' "$2" "$(cat ${value})" | base64 -w0)"`);
    const dir = fleetFolder({
      'fleet.yaml': fleetText(secretsText(['pullSecret', [path, 'get', '${name}']])),
      'base/install-config.yaml': installConfig,
      'base/sno-config.yaml': config,
    });
    return {
      dir,
      calls: () => {
        const text = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
        writeFileSync(notes, '');
        return text
          .split('\n')
          .filter((line) => line !== '')
          .toSorted();
      },
      change: (to) => {
        writeFileSync(value, to);
      },
    };
  }

  async function ran(...args: readonly string[]): Promise<readonly unknown[]> {
    const { code, stdout, stderr } = await snoInProcess(args);
    const auth = Buffer.from('user:north-1-s3cr3t').toString('base64');
    expect(stdout + stderr).not.toContain('s3cr3t');
    expect(stdout + stderr).not.toContain(auth);
    return [code, stdout.split('\n').flatMap((line) => /^ +\d+ {2}.*$/.exec(line)?.[0].trim() ?? [])];
  }

  test('runs the command once for each site, not when the site is looked at', async () => {
    const { dir, calls, change } = laidFleet();
    const each = ['get north-1', 'get north-2'];
    expect(await ran('fleet', 'create', '--dir', dir)).toEqual([0, ['2  created']]);
    expect(calls()).toEqual(each);
    const live = JSON.stringify(readTree(join(dir, 'out/north-1')));
    expect(live).not.toContain('registry.example"');

    expect(await ran('fleet', 'status', '--dir', dir)).toEqual([0, ['2  up to date']]);
    expect(calls()).toEqual([]);
    expect(await ran('fleet', 'create', '--dir', dir, '--only', 'north-1')).toEqual([0, ['1  unchanged']]);
    expect(calls()).toEqual(['get north-1']);
    expect(await ran('fleet', 'diff', join(dir, 'out'), dir)).toEqual([0, []]);
    expect(calls()).toEqual(each);

    change('other');
    // Only a command that fetches the secret can find its new value.
    expect(await ran('fleet', 'status', '--dir', dir)).toEqual([0, ['2  up to date']]);
    expect(calls()).toEqual([]);
    expect(await ran('fleet', 'create', '--dir', dir)).toEqual([0, ['2  updated (same keys)']]);
    change('fail');
    const [code, lines] = await ran('fleet', 'create', '--dir', dir);
    expect([code, lines]).toEqual([1, ['1  updated (same keys)', '1  failed']]);
    expect((await ran('fleet', 'status', '--dir', dir))[0]).toBe(1);
    calls();

    const fleet = readFileSync(join(dir, 'fleet.yaml'), 'utf8');
    writeFileSync(join(dir, 'fleet.yaml'), fleet.replace('"get"', '"fetch"'));
    expect(await ran('fleet', 'status', '--dir', dir, '--only', 'north-1')).toEqual([
      1,
      ['1  outdated: inputs changed: north-1'],
    ]);
    expect(calls()).toEqual([]);
  });

  test.each([
    ['validate', []],
    ['golden', ['--out', 'shown']],
    ['render', ['inputs', '--out', 'shown']],
  ])('fleet %s does not run the command', async (command, [first, ...args]) => {
    const { dir, calls } = laidFleet();
    const rest = [...args.map((each) => (each === 'shown' ? join(dir, each) : each))];
    const { code, stderr } = await snoInProcess([
      'fleet',
      command,
      ...(first === undefined ? [] : [first]),
      ...rest,
      '--dir',
      dir,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(calls()).toEqual([]);
    if (rest.length > 0)
      expect(JSON.stringify(readTree(join(dir, 'shown')))).not.toContain('ZXhhbXBsZTpleGFtcGxl');
  });
});
