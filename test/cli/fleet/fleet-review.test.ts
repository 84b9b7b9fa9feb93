import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { fleetFiles, fleetFolder, fleetText } from '../../fleet/files.js';
import { snapshot } from '../../support/command.js';
import { commitAll } from '../../support/commit-all.js';
import { snoInProcess } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';

const page = 'docs/fleet-build.md';

/** Compares the text with an example on the page; UPDATE_GOLDEN=1 rewrites the example. */
function expectShown(name: string, text: string): void {
  const current = readFileSync(page, 'utf8');
  const shown = text.replaceAll(/ +$/gm, '');
  const [before = '', after = ''] = current.split(`<!-- run: ${name} -->\n`);
  const written = after.replace(/^```\n[\s\S]*?^```$/m, () => `\`\`\`\n${shown}\`\`\``);
  if (process.env['UPDATE_GOLDEN'] !== undefined)
    writeFileSync(page, `${before}<!-- run: ${name} -->\n${written}`);
  expect.soft(written, 'UPDATE_GOLDEN=1 writes the page anew').toBe(after);
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

interface Group {
  readonly sites: readonly string[];
  readonly differences: readonly { readonly name: string; readonly change: string }[];
}

interface Found {
  readonly ok: boolean;
  readonly compared: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly groups: readonly Group[];
}

describe('the fleet of docs/fleet-build.md', () => {
  let folder = '';
  let [fleet, golden] = ['', ''];
  beforeAll(async () => {
    folder = scratchFolder();
    [fleet, golden] = [join(folder, 'fleet'), join(folder, 'golden')];
    cpSync('fixtures/fleet', fleet, { recursive: true });
    const { code, stderr } = await snoInProcess(['fleet', 'golden', '--dir', fleet, '--out', golden]);
    expect([code, stderr]).toEqual([0, '']);
  });

  function withChange(file: string, from: string, to: string): string {
    const changed = join(scratchFolder(), 'fleet');
    cpSync(fleet, changed, { recursive: true });
    edit(join(changed, file), from, to);
    return changed;
  }

  test('has one tree, a table with the values of each site, and separate differences', () => {
    const tree = readTree(golden);
    const live = 'bootstrap-in-place-for-live-iso.ign.d';
    const own = Object.keys(tree).filter((path) => /^(?:sites|groups)\//.test(path));

    expect(tree['sites.csv']).toBe(
      readFileSync('fixtures/fleet/sites.csv', 'utf8').replaceAll(/,[^,\n]*\n/g, '\n'),
    );
    expect(tree[`all/${live}/etc/hostname`]).toBe('${name}\n');
    expect(tree[`all/${live}/etc/NetworkManager/system-connections/uplink.nmconnection`]).toMatch(
      /^address0=\$\{ip\}\/24$[^]*^mac-address=\$\{mac:upper\}\nmtu=1500$/m,
    );
    expect(own.map((path) => path.replace(/\.ign\.d\/.*\//, '.ign.d/…/'))).toEqual([
      'sites/north-2/bootstrap-in-place-for-live-iso.ign.d/…/uplink.nmconnection',
      'sites/north-2/bootstrap-in-place-for-live-iso.ign.d/…/99_openshift-machineconfig_99-master-network.yaml',
      'sites/south-1/bootstrap-in-place-for-live-iso.ign.d/…/chrony.conf',
      'sites/south-1/bootstrap-in-place-for-live-iso.ign.d/…/99_openshift-machineconfig_99-master-chrony.yaml',
      'sites/south-1/bootstrap-in-place-for-live-iso.ign.d/…/99_openshift-machineconfig_99-worker-chrony.yaml',
    ]);
    // The pull secret of the base.
    const shown = Object.entries(tree).filter(([path]) => !path.startsWith('templates/'));
    expect(shown.map(([, text]) => text).join('\n')).not.toMatch(/dGhyb3dhd2F5|-----BEGIN/);
  });

  test('lists the sites of a change, as in the docs', async () => {
    const changed = withChange('fleet.yaml', 'ntp.example.com', 'time.example.com');
    const checked = await snoInProcess(['fleet', 'golden', '--dir', changed, '--out', golden, '--check']);
    const shown = checked.stdout.replaceAll(`${folder}/`, '');

    expect([checked.code, checked.stderr]).toEqual([1, '']);
    expectShown('field', shown);
    expect(shown).toMatch(/^2 sites: north-1, north-2\n~ sheet Services\n.*\n~ file \/etc\/chrony\.conf /);
  });

  test('shows a site that is alone with a difference with its values', async () => {
    const moved = withChange('sites.csv', '10.1.2.10', '10.1.2.20');
    const { code, stdout } = await snoInProcess(['fleet', 'diff', fleet, moved]);

    expect(code).toBe(1);
    expectShown('address', `${stdout.split('\n').slice(0, 9).join('\n')}\n…\n`);
    expect(stdout).toMatch(/^1 site: north-2\n/);
    expect(stdout).not.toContain('${');
  });

  test('is compared with a revision as a fleet and as a tree, without writing files', async () => {
    const repository = scratchFolder();
    cpSync(folder, repository, { recursive: true });
    commitAll(repository);
    const diff = async (...args: readonly string[]): Promise<Found> => {
      const { stdout } = await snoInProcess([
        'fleet',
        'diff',
        ...args,
        '--against',
        'main',
        '--output',
        'json',
      ]);
      return JSON.parse(stdout) as Found;
    };
    const [here, tree] = [join(repository, 'fleet'), join(repository, 'golden')];
    expect(await diff('--dir', here)).toMatchObject({ ok: true, compared: 3, groups: [] });

    const table = join(here, 'sites.csv');
    const row = 'north-3,10.1.3.0/24,10.1.3.10,10.1.3.1,52:54:00:00:01:0d,\n';
    writeFileSync(table, readFileSync(table, 'utf8').replace(/^south-1.*\n/m, row));
    edit(join(here, 'base/sno-config.yaml'), 'mtu:-1500', 'mtu:-1400');
    writeFileSync(join(here, 'overrides/south-1/sno-config.yaml'), '');
    const stale = await snoInProcess(['fleet', 'diff', '--dir', here, '--against', 'main']);
    // An overrides folder without a site is an error.
    expect([stale.code, /error\[fleet\/override\]/.test(stale.stderr)]).toEqual([1, true]);
    rmSync(join(here, 'overrides/south-1'), { recursive: true });

    const before = snapshot(here);
    const ofFleet = await diff('--dir', here);
    await snoInProcess(['fleet', 'golden', '--dir', here, '--out', tree]);
    const ofTree = await diff(tree);
    const names = ['/etc/NetworkManager/system-connections/uplink.nmconnection'];
    for (const found of [ofFleet, ofTree]) {
      expect([found.added, found.removed, found.compared]).toEqual([['north-3'], ['south-1'], 2]);
      expect(found.groups.map(({ sites }) => sites)).toEqual([['north-1']]);
      expect(found.groups[0]?.differences.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    }
    expect(snapshot(here)).toEqual(before);
    const first = await snoInProcess(['fleet', 'diff', tree, '--against', 'nothing']);
    expect([first.code, /error\[review\/revision\]/.test(first.stderr)]).toEqual([1, true]);
  });

  test('says that trees do not show whether they match the fleet', async () => {
    const repository = scratchFolder();
    cpSync(folder, repository, { recursive: true });
    commitAll(repository);
    edit(join(repository, 'fleet/fleet.yaml'), 'ntp.example.com', 'time.example.com');
    const tree = join(repository, 'golden');
    const what = `${tree} against main`;
    for (const [output, first] of [
      ['text', `${what}.\n`],
      ['markdown', `<code>${what}</code>.\n\n`],
    ] as const) {
      const { code, stdout } = await snoInProcess(['fleet', 'diff', tree, '--against', 'main', '-o', output]);
      expect([code, stdout]).toEqual([
        0,
        `No differences in 3 sites: ${first}Only the trees were compared. \`sno-install fleet golden --check\` shows whether a tree matches its fleet.\n`,
      ]);
    }
  });

  test('follows links between its folders in a revision as on the disk', async () => {
    const dir = withChange('base/sno-config.yaml', 'mtu:-1500', 'mtu:-1500');
    cpSync(join(dir, 'overrides/south-1'), join(dir, 'shared/own-clocks'), { recursive: true });
    symlinkSync('../shared/own-clocks', join(dir, 'overrides/north-1'));
    commitAll(dir);
    const ask = ['fleet', 'diff', '--dir', dir, '--against', 'main', '--only', 'north-1'];
    expect(await snoInProcess(ask)).toMatchObject({ code: 0, stderr: '' });
  });

  test('uses the current pull secret if Git does not contain it, for the base and a site', async () => {
    const dir = withChange('base/install-config.yaml', 'pullSecret:', '# ');
    const secret = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
    const [, text = ''] = /^pullSecret: '(.*)'$/m.exec(secret) ?? [];
    for (const place of ['base', 'overrides/south-1'])
      writeFileSync(join(dir, place, 'pull-secret.json'), text);
    writeFileSync(join(dir, '.gitignore'), 'pull-secret.json\n');
    edit(join(dir, 'base/sno-config.yaml'), 'network:', 'pullSecretFile: pull-secret.json\nnetwork:');
    commitAll(dir);
    edit(join(dir, 'base/sno-config.yaml'), 'network:', 'kernelArguments: [quiet]\nnetwork:');
    const ask = ['fleet', 'diff', '--dir', dir, '--against', 'main', '--output', 'json'];
    const { stdout, stderr } = await snoInProcess([...ask, '--only', 'north-1', '--only', 'south-1']);
    const { groups } = JSON.parse(stdout) as Found;

    expect(stderr).toBe('');
    expect(groups.map(({ sites, differences }) => [sites, differences.map(({ name }) => name)])).toEqual([
      [
        ['north-1', 'south-1'],
        ['Boot', 'MachineConfig 99-master-kernel-arguments (machineconfiguration.openshift.io)'],
      ],
    ]);
  });
});

describe('settings of boot, which outputs do not contain', () => {
  const boot = (more = ''): string => fleetText(`boot:\n  address: \${bmc}\n${more}`);
  const table = (first: string, second: string): string =>
    `name,ip,bmc\nnorth-1,192.168.126.10,${first}\nnorth-2,192.168.126.11,${second}\n`;
  const before = { 'fleet.yaml': boot(), 'sites.csv': table('192.0.2.1', '192.0.2.2') };

  test.each([
    {
      change: { 'sites.csv': table('192.0.2.1', '192.0.2.9') },
      want: '1 site: north-2\n~ sheet Machine\n    BMC: 192.0.2.2 → 192.0.2.9\n\n1 difference in 1 of 2 sites: ',
    },
    {
      change: { 'sites.csv': table('192.0.2.2', '192.0.2.1') },
      want: 'all 2 sites\n~ sheet Machine\n    BMC: ${bmc:before} → ${bmc}\n\n1 difference in 2 of 2 sites: ',
    },
    {
      change: { 'fleet.yaml': boot('  credentials: bmc.yaml.age\n') },
      want: 'all 2 sites\n~ sheet Machine\n    BMC logins: nothing → bmc.yaml.age\n\n1 difference in 2 of 2 sites: ',
    },
  ])('are compared: $want', async ({ change, want }) => {
    const [left, right] = [fleetFolder(before), fleetFolder({ ...before, ...change })];
    const { code, stdout, stderr } = await snoInProcess(['fleet', 'diff', left, right]);
    expect([code, stdout, stderr]).toEqual([1, `${want}${left} and ${right}.\n`, '']);
  });

  test('are equal if no value has changed', async () => {
    const [left, right] = [fleetFolder(before), fleetFolder(before)];
    expect(await snoInProcess(['fleet', 'diff', left, right])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the files that boot names, and hidden values of boot', () => {
  const boot = (password: string): Readonly<Record<string, string>> => ({
    'fleet.yaml': fleetText(
      'boot:\n  address: ${bmc}\n  authorities: authorities/bmc.pem\n  credentials: credentials/bmc.yaml\n',
    ),
    'sites.csv': `name,ip,bmc\nnorth-1,192.168.126.10,https://root:${password}@192.0.2.1\n`,
    'credentials/bmc.yaml': `'*': {username: root, password: ${password}}\n`,
    'authorities/bmc.pem': `${password}\n`,
    'base/sno-config.yaml': `${fleetFiles['base/sno-config.yaml'] ?? ''}ntpSources: [${password.slice(-3)}.example.com]\n`,
  });

  test.each([{ output: 'text' }, { output: 'markdown' }, { output: 'json' }])(
    'are shown as changed in $output, without a secret of either side',
    async ({ output }) => {
      const [left, right] = [fleetFolder(boot('canary-one')), fleetFolder(boot('canary-two'))];
      const { code, stdout, stderr } = await snoInProcess(['fleet', 'diff', left, right, '-o', output]);
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain('authorities/bmc.pem (changed)');
      expect(stdout).toContain('credentials/bmc.yaml (changed)');
      expect(stdout).not.toContain('canary');
    },
  );

  test('come first, before the other lines of the sheet and the files of the node', async () => {
    const [left, right] = [fleetFolder(boot('canary-one')), fleetFolder(boot('canary-two'))];
    const { stdout } = await snoInProcess(['fleet', 'diff', left, right, '-o', 'json']);
    const { groups } = JSON.parse(stdout) as {
      readonly groups: readonly {
        readonly differences: readonly { readonly kind: string; readonly name: string }[];
      }[];
    };
    const names = groups[0]?.differences.map(({ kind, name }) => `${kind} ${name}`) ?? [];
    const sheet = names.filter((name) => name.startsWith('sheet '));
    expect(names.slice(0, sheet.length)).toEqual(['sheet Machine', 'sheet Services']);
    expect(names.length).toBeGreaterThan(sheet.length);
  });

  test('are not compared if a revision does not have them, because Git ignores them', async () => {
    const dir = fleetFolder({ ...boot('canary-one'), '.gitignore': 'credentials/\nauthorities/\n' });
    commitAll(dir);
    expect(await snoInProcess(['fleet', 'diff', '--dir', dir, '--against', 'main'])).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});

describe('added sites', () => {
  const table = (count: number): string =>
    `name,ip,bmc\n${Array.from({ length: count }, (_, index) => `s-${index},192.168.126.${index + 10},192.0.2.${index + 1}\n`).join('')}`;
  const fleetOf = (count: number): string =>
    fleetFolder({ 'fleet.yaml': fleetText('boot:\n  address: ${bmc}\n'), 'sites.csv': table(count) });

  test('are shown with their short sheets', async () => {
    const [left, right] = [fleetOf(1), fleetOf(2)];
    const { code, stdout, stderr } = await snoInProcess(['fleet', 'diff', left, right]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      /^added: 1 site: s-1\ns-1:\n {2}BMC {11}192\.0\.2\.2\n {2}Machine {7}\S+, host name s-1, \S+\n {2}Erases {8}/,
    );
    expect(stdout).toMatch(/\n\n1 site added: /);
  });

  test('are limited to the first, and the rest is counted', async () => {
    const [left, right] = [fleetOf(1), fleetOf(8)];
    const { stdout } = await snoInProcess(['fleet', 'diff', left, right]);
    expect(stdout.match(/^s-\d:$/gm)).toEqual(['s-1:', 's-2:', 's-3:', 's-4:', 's-5:']);
    expect(stdout).toContain('\n2 more added sites: `sno-install fleet render sheet` writes all sheets\n');
    const data = await snoInProcess(['fleet', 'diff', left, right, '-o', 'json']);
    const { addedSheets } = JSON.parse(data.stdout) as {
      readonly addedSheets: readonly {
        readonly site: string;
        readonly sheet: readonly { readonly name: string }[];
      }[];
    };
    expect(addedSheets.map(({ site }) => site)).toEqual(['s-1', 's-2', 's-3', 's-4', 's-5', 's-6', 's-7']);
    expect(addedSheets[0]?.sheet[0]?.name).toBe('machine');
  });

  test('are errors if they cannot be rendered', async () => {
    const [left, right] = [fleetOf(1), fleetOf(2)];
    edit(join(right, 'sites.csv'), 's-1,192.168.126.11', 's-1,10.0.0.1');
    const { code, stderr } = await snoInProcess(['fleet', 'diff', left, right]);
    expect([code, /error\[config\/node-ip\]/.test(stderr)], stderr).toEqual([1, true]);
  });
});

describe('many sites', () => {
  const count = 10;
  const rows = Array.from({ length: count }, (_, index) => `s-${index},192.168.126.${index + 10}`);
  const table = `name,ip\n${rows.join('\n')}\n`;

  test('share one entry with their number if they have the same difference', async () => {
    const dir = fleetFolder({ 'sites.csv': table });
    const golden = join(scratchFolder(), 'golden');
    await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', golden]);
    expect(existsSync(join(golden, 'groups')) || existsSync(join(golden, 'sites'))).toBe(false);
    const sno = join(dir, 'base/sno-config.yaml');
    writeFileSync(sno, `${readFileSync(sno, 'utf8')}ntpSources: ["clock.\${name}.example.com"]\n`);
    const other = join(dir, 'overrides/s-7');
    cpSync(fleetFolder({ 'sno-config.yaml': 'ntpSources: [clock.example.com]\n' }), other, {
      recursive: true,
    });

    const result = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', golden, '--check']);
    expect(result.stdout).toMatch(
      /^9 sites: s-0, s-1, s-2, s-3, s-4 and 4 more\n~ sheet Services\n.*\n\+ file \/etc\/chrony\.conf /m,
    );
    expect(result.stdout).toMatch(/^ {4}\+server clock\.\$\{name\}\.example\.com iburst$/m);
    expect(result.stdout).toMatch(/^1 site: s-7\n/m);
    expect(result.stdout).toMatch(/ differences in 10 of 10 sites: /);

    const markdown = await snoInProcess([
      ...['fleet', 'golden', '--dir', dir, '--out', golden, '--check', '--output', 'markdown'],
      ...['--only', 's-7', '--only', 's-8'],
    ]);
    expect(markdown.stdout).toMatch(/^\*\*\d+ differences in 2 of 2 sites\*\*: /);
    expect(markdown.stdout).toMatch(/^\*\*1 site: s-8\*\*$/m);
  });
});

describe('values that are secrets, though they look like words', () => {
  const words = ['master', 'kubernetes', 'Tr0ub4dor'];
  const secretFiles = {
    'sites.csv':
      'name,ip,proxyPassword,user,bmcLogin,word,other,key\n' +
      `north-1,192.168.126.10,${words[0]},joe-1,worker,chrony,openshift,marvin-1\n` +
      `north-2,192.168.126.11,${words[1]},joe-2,etcd,crio,machine,marvin-2\n` +
      `north-3,192.168.126.12,${words[2]},joe-3,system,kubelet,config,marvin-3\n`,
    'base/install-config.yaml': `${fleetFiles['base/install-config.yaml'] ?? ''}proxy:
  httpProxy: http://\${user}:\${proxyPassword}@proxy.example.com:3128
  httpsProxy: http://proxy.example.com:3128
`,
    'base/openshift/login.yaml': `apiVersion: v1
kind: Secret
metadata: {name: login, namespace: default}
stringData: {login: "\${word}"}
`,
    // Only the base file declares `kind: Secret`.
    'overrides/north-2/openshift/login.yaml': 'stringData: {more: "${other}"}\n',
    'base/openshift/text.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: text, namespace: default}
data:
  inner.yaml: |
    kind: Secret
    stringData: {a: "\${key}"}
`,
  };

  test('do not appear in tables and file names', async () => {
    const dir = fleetFolder(secretFiles);
    const golden = join(scratchFolder(), 'golden');
    const { code, stderr } = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', golden]);
    expect(code, stderr).toBe(0);
    const tree = readTree(golden);
    const shown = Object.entries(tree).filter(([path]) => !path.startsWith('templates/'));

    expect(tree['sites.csv']).toBe(
      'name,ip\nnorth-1,192.168.126.10\nnorth-2,192.168.126.11\nnorth-3,192.168.126.12\n',
    );
    expect(shown.filter(([path]) => path.includes('${'))).toEqual([]);
    const names = ['proxyPassword', 'user', 'bmcLogin', 'word', 'other', 'key'];
    expect(shown.filter(([, text]) => names.some((name) => text.includes(`\${${name}`)))).toEqual([]);
    expect(
      shown.filter(([, text]) => text.includes('Tr0ub4dor') || text.includes('joe-')).map(([path]) => path),
    ).toEqual([]);
    expect(JSON.stringify(shown)).toContain('KUBELET_NODEIP_HINT=${ip}');
  });

  test('do not appear in the names of differences', async () => {
    const dir = fleetFolder(secretFiles);
    const { 'sites.csv': table } = secretFiles;
    const changed = {
      ...secretFiles,
      'sites.csv': table.replace('Tr0ub4dor', 'worker').replace('joe-3', 'proxy'),
    };
    const other = fleetFolder(changed);
    edit(join(other, 'base/sno-config.yaml'), 'hostname', 'ntpSources: [ntp.example.com]\nhostname');
    const { code, stdout } = await snoInProcess(['fleet', 'diff', dir, other]);
    expect(code).toBe(1);
    expect(stdout).toContain('99-master-chrony');
    expect(stdout).not.toMatch(/\$\{(?!name|ip)|Tr0ub4dor|joe-/);
  });
});

describe('reports sites that cannot be compared', () => {
  test.each([
    { args: ['fleet', 'golden', '--out', 'OUT', '--check'], code: 1, want: 'review/not-a-tree' },
    { args: ['fleet', 'golden', '--out', 'OUT', '--only', 'north-1'], code: 2, want: 'usage/' },
    { args: ['fleet', 'golden', '--out', 'src'], code: 1, want: 'review/not-a-tree' },
    { args: ['fleet', 'diff', 'DIR', 'OUT', '--against', 'main'], code: 2, want: 'usage/' },
    { args: ['fleet', 'diff', 'DIR', 'fixtures/golden'], code: 1, want: 'fleet/not-comparable' },
    { args: ['fleet', 'diff', 'DIR', 'DIR', '--only', 'nowhere'], code: 1, want: 'fleet/no-site' },
  ])('$args', async ({ args, code, want }) => {
    const dir = fleetFolder();
    const out = join(scratchFolder(), 'out');
    const words = args.map((word) => word.replace('DIR', dir).replace('OUT', out));
    const result = await snoInProcess([...words, '--dir', dir]);
    expect([result.code, result.stderr.includes(want)], result.stderr).toEqual([code, true]);
  });

  describe('and compares the others', () => {
    const sites = ['north-1,192.168.126.10', 'north-2,192.168.126.11'];
    const table = (rows: readonly string[]): string => `name,ip\n${rows.join('\n')}\n`;
    const dir = fleetFolder({ 'sites.csv': table(sites) });
    const broken = fleetFolder({ 'sites.csv': table(['north-1,192.168.126.20', 'north-2,10.0.0.1']) });
    const tree = join(scratchFolder(), 'golden');
    beforeAll(() => snoInProcess(['fleet', 'golden', '--dir', dir, '--out', tree]));

    test.each([
      { of: 'fleets', args: ['diff', dir, broken] },
      { of: 'fleets, in the other order', args: ['diff', broken, dir] },
      { of: 'a tree', args: ['golden', '--dir', broken, '--out', tree, '--check'] },
      { of: 'sheets', args: ['diff', '--sheet', dir, broken], onlySheets: true },
    ])('$of', async ({ args, onlySheets = false }) => {
      const { code, stdout, stderr } = await snoInProcess(['fleet', ...args]);
      expect([code, /^error\[config\/node-ip\]/m.test(stderr)], stderr).toEqual([1, true]);
      expect(stdout).toMatch(/^1 site: north-1\n~ sheet Network\n {4}Node address: \S+ → \S+\n/);
      expect(stdout).toMatch(/^not compared \(1 site: north-2\): .*10\.0\.0\.1/m);
      expect(stdout).toMatch(/ of 1 site, 1 site not compared: /);
      expect(/^[~+-] (?!sheet)/m.test(stdout)).toBe(!onlySheets);
    });
  });

  test('writes no tree for an invalid site, and reports the location in the table', async () => {
    const dir = fleetFolder({ 'sites.csv': 'name,ip\nnorth-1,10.0.0.1\nnorth-2,192.168.126.11\n' });
    const out = join(scratchFolder(), 'out');
    const { code, stderr } = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', out]);
    expect([code, existsSync(out)]).toEqual([1, false]);
    expect(stderr).toMatch(/^error\[config\/node-ip\][^]*sites\.csv:2:9 \(ip\)/);
  });

  test('accepts a tree with the same content in another format', async () => {
    const dir = fleetFolder();
    const out = join(scratchFolder(), 'out');
    await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', out]);
    const table = join(out, 'sites.csv');
    const [head = '', first = '', second = ''] = readFileSync(table, 'utf8').split('\n');
    writeFileSync(table, `${[head, second, first].join('\n')}\n`);
    const { code, stderr } = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', out, '--check']);
    expect([code, stderr.includes('error[review/other-form]')]).toEqual([1, true]);
  });
});
