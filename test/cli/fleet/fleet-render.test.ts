import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fleetFiles, fleetFolder, fleetText } from '../../fleet/files.js';
import { snoInProcess } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';

const secrets = ['Tr0ub4dor', 'hunter2word', 'c2VjcmV0LWxvZ2lu', 'marvin-login'];

function fleetWithSecrets(): string {
  return fleetFolder({
    'sites.csv':
      'name,ip,proxyPassword,login,word\n' +
      'north-1,192.168.126.10,Tr0ub4dor,marvin-login,hunter2word\nnorth-2,192.168.126.11,Tr0ub4dor,marvin-login,hunter2word\n',
    'base/install-config.yaml': `${(fleetFiles['base/install-config.yaml'] ?? '').replace(
      /^pullSecret:.*$/m,
      `pullSecret: '{"auths":{"quay.io":{"auth":"c2VjcmV0LWxvZ2lu"}}}'`,
    )}proxy:
  httpProxy: http://proxy:\${proxyPassword}@proxy.example.com:3128
`,
    'base/openshift/login.yaml': `apiVersion: v1
kind: Secret
metadata: {name: "login-\${name}", namespace: default}
stringData: {login: "\${word}"}
`,
    'base/openshift/text.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: text, namespace: default}
data: {password: "\${login}", "run.sh": "echo \${word}"}
`,
    'overrides/north-2/sno-config.yaml': 'ntpSources: [clock.example.com]\n',
  });
}

describe('fleet render', () => {
  test('inputs: the files of each site with its values and overrides, and no secret', async () => {
    const [dir, out] = [fleetWithSecrets(), join(scratchFolder(), 'read')];
    const { code, stderr, stdout } = await snoInProcess([
      'fleet',
      'render',
      'inputs',
      '--dir',
      dir,
      '--out',
      out,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Wrote 9 files of 2 sites to /);
    const tree = readTree(out);

    expect(Object.keys(tree).toSorted()).toEqual([
      'index.txt',
      ...['north-1', 'north-2'].flatMap((site) =>
        ['install-config.yaml', 'openshift/login.yaml', 'openshift/text.yaml', 'sno-config.yaml'].map(
          (path) => `${site}/${path}`,
        ),
      ),
    ]);
    expect(tree['north-2/install-config.yaml']).toMatch(/^ {2}name: "?north-2"?$/m);
    expect(tree['north-2/sno-config.yaml']).toMatch(/nodeIP: "?192\.168\.126\.11"?\n[^]*clock\.example\.com/);
    expect(tree['north-1/sno-config.yaml']).not.toContain('clock');
    expect(tree['north-1/openshift/login.yaml']).toContain('login-north-1');
    const all = JSON.stringify(tree);
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });

  test('sheet: the sheet of each site as Markdown', async () => {
    const [dir, out] = [fleetFolder(), join(scratchFolder(), 'sheets')];
    const { code, stderr } = await snoInProcess(['fleet', 'render', 'sheet', '--dir', dir, '--out', out]);
    expect([code, stderr]).toEqual([0, '']);
    const tree = readTree(out);

    expect(Object.keys(tree).toSorted()).toEqual(['index.txt', 'north-1/sheet.md', 'north-2/sheet.md']);
    expect(tree['north-2/sheet.md']).toMatch(
      /^## north-2\n\n### Cluster\n\n\| setting \| value \|\n[^]*\| Node address \| <code>192\.168\.126\.11<\/code> \|\n/,
    );
  });

  test.each([
    {
      bmc: 'idrac-virtualmedia+https://192.0.2.1/redfish/v1/Systems/1',
      want: [
        'BMC | <code>idrac-virtualmedia+https://192.0.2.1/redfish/v1/Systems/1</code>',
        'Virtual media | <code>idrac-virtualmedia</code>',
      ],
    },
    {
      bmc: 'https://192.0.2.1',
      want: ['BMC | <code>https://192.0.2.1</code>', 'Virtual media | <code>redfish</code>'],
    },
    { bmc: '192.0.2.1', want: ['BMC | <code>192.0.2.1</code>', 'Virtual media | <code>redfish</code>'] },
    {
      bmc: 'https://root:canary-1@192.0.2.1',
      want: ['BMC | <code>not shown: it may contain a password</code>'],
    },
  ])('sheet: the BMC $bmc without its password', async ({ bmc, want }) => {
    const dir = fleetFolder({
      'fleet.yaml': fleetText('boot:\n  address: ${bmc}\n  username: root\n  password: ${login}\n'),
      'sites.csv': `name,ip,bmc,login\nnorth-1,192.168.126.10,${bmc},canary-2\n`,
    });
    const out = join(scratchFolder(), 'sheets');
    await snoInProcess(['fleet', 'render', 'sheet', '--dir', dir, '--out', out]);
    const text = readTree(out)['north-1/sheet.md'] ?? '';
    const [, machine = ''] =
      /### Machine\n\n\| setting \| value \|\n\| --- \| --- \|\n([^]*?)\n\n### Cluster\n/.exec(text) ?? [];
    expect(machine.split('\n')).toEqual(want.map((line) => `| ${line} |`));
    expect(text).not.toContain('canary');
  });

  test('reports the problems of sites, and writes the others', async () => {
    const dir = fleetFolder({
      'out/north-2/node.ign': '{"ignition":{"version":"3.2.0"}}',
      'base/openshift/text.yaml': 'a: "${note}"\n',
      'sites.csv': 'name,ip,note\nnorth-1,192.168.126.10,\nnorth-2,192.168.126.11,x\n',
    });
    for (const [what, code, path] of [
      ['ignition', 'fleet/not-made', 'north-2/node.ign.json'],
      ['inputs', 'fleet/variable', 'north-2/openshift/text.yaml'],
    ] as const) {
      const out = join(scratchFolder(), what);
      const result = await snoInProcess(['fleet', 'render', what, '--dir', dir, '--out', out]);
      expect([result.code, result.stderr.includes(`error[${code}]`)], result.stderr).toEqual([1, true]);
      expect([existsSync(join(out, path)), existsSync(join(out, 'north-1'))]).toEqual([true, false]);
    }
    const single = await snoInProcess([
      'render',
      'ignition',
      '--dir',
      join(dir, 'out/north-2'),
      '--out',
      join(dir, 'tree'),
    ]);
    expect(single.code).toBe(0);
    const out = join(dir, 'trees');
    await snoInProcess(['fleet', 'render', 'ignition', '--dir', dir, '--out', out, '--only', 'north-2']);
    expect(readTree(join(out, 'north-2'))).toEqual(readTree(join(dir, 'tree')));
    const before = readTree(out);
    const refused = await snoInProcess(['fleet', 'render', 'inputs', '--dir', dir, '--out', out]);
    expect(refused.stderr).toContain('contains a tree of site outputs');
    expect(readTree(out)).toEqual(before);
    expect((await snoInProcess(['fleet', 'render', 'all', '--dir', dir, '--out', out])).code).toBe(2);
  });
});
