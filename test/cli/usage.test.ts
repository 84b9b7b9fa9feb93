import { describe, expect, it } from 'vitest';

import { snoInProcess } from '../support/in-process.js';

const commands = [
  'create install-config',
  'create sno-config',
  'create manifests',
  'create single-node-ignition-config',
  'create aio-ignition',
  'enrich',
  'validate',
  'preflight',
  'media download',
  'images',
  'graph',
  'explain',
  'version',
  'completion',
  'apply',
  'fleet apply',
  'fleet report',
  'fleet wait-for bootstrap-complete',
  'fleet wait-for install-complete',
  'fleet wait-for post-install-complete',
  'fleet wait-for node-ready',
  'wait-for bootstrap-complete',
  'wait-for install-complete',
  'wait-for post-install-complete',
  'wait-for node-ready',
];

describe('help', () => {
  it('lists every command and the exit codes', async () => {
    const { code, stdout, stderr } = await snoInProcess(['--help']);

    expect([code, stderr]).toEqual([0, '']);
    for (const command of ['create', 'enrich', 'validate', 'graph', 'explain', 'version', 'completion']) {
      expect(stdout).toMatch(new RegExp(`^  ${command}`, 'm'));
    }
    expect(stdout).toContain('Exit codes: 0 success, 1 problems in the input, 2 usage');
  });

  it.each(commands)('of `%s` has an example that names it', async (command) => {
    const { code, stdout } = await snoInProcess([...command.split(' '), '--help']);

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Examples?:\\n.*sno-install ${command}`, 'm'));
  });
});

describe('a mistake on the command line', () => {
  const cases = [
    {
      name: 'a cluster, as with openshift-install',
      args: ['create', 'cluster'],
      says: '= hint: run `sno-install create iso --iso rhcos-live.x86_64.iso --out site1.iso`, boot the machine',
    },
    {
      name: 'an image, as with openshift-install',
      args: ['agent', 'create', 'image'],
      says: 'into the live ISO with coreos-installer',
    },
    { name: 'no command', args: [], says: 'Usage: sno-install' },
    { name: 'nothing to create', args: ['create'], says: 'Usage: sno-install create' },
    { name: 'a mistyped command', args: ['validat'], says: 'Did you mean validate?' },
    {
      name: 'the name of a command below another',
      args: ['iso', 'site1'],
      says: '= hint: run `sno-install create iso`\n',
    },
    {
      name: 'a command of fleets',
      args: ['status'],
      says: '= hint: run `sno-install fleet status`\n',
    },
    { name: 'a mistyped target', args: ['create', 'manifest'], says: 'Did you mean manifests?' },
    { name: 'an unknown target', args: ['create', 'disk'], says: 'run `sno-install create --help`' },
    { name: 'a mistyped option', args: ['validate', '--dri', 'x'], says: 'Did you mean --dir?' },
    {
      name: 'an option of another form',
      args: ['validate', '--output', 'markdown'],
      says: 'Allowed choices are text, json, yaml, github, sarif, junit.',
    },
    { name: 'an argument too many', args: ['version', 'site1'], says: 'too many arguments' },
    {
      name: 'a directory twice',
      args: ['validate', '--dir', 'a', '--dir', 'b'],
      says: 'It can be given only once.',
    },
    {
      name: 'directories beside --dir',
      args: ['validate', '--dir', 'a', 'b'],
      says: 'directories and --dir cannot be combined',
    },
    { name: 'a missing argument', args: ['analyze'], says: "missing required argument 'bundle'" },
    {
      name: 'no folder to render to',
      args: ['render', 'libvirt', 'site1'],
      says: 'hint: name a folder that does not exist',
    },
    {
      name: 'an unknown target of graph',
      args: ['graph', 'iso'],
      says: 'supported targets: manifests, single-node',
    },
    { name: 'an unknown shell', args: ['completion', 'tcsh'], says: 'supported shells: bash, zsh, fish' },
  ];
  it.each(cases)('$name: exit code 2, only on stderr, with a suggestion', async ({ args, says }) => {
    const { code, stdout, stderr } = await snoInProcess(args);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it.each([
    {
      args: ['graph', 'iso'],
      want: 'unknown target `iso`\n   = hint: supported targets: manifests, single-node-ignition-config, aio-ignition, control-plane, aio-control-plane\n',
    },
    {
      args: ['completion', 'tcsh'],
      want: 'unknown shell `tcsh`\n   = hint: supported shells: bash, zsh, fish, powershell\n',
    },
    {
      args: ['validate', 'a', '--dir', 'b'],
      code: 'usage/conflicting-options',
      want: 'directories and --dir cannot be combined\n   = hint: use either directory arguments or --dir\n',
    },
  ])('that `$args.0` itself finds has the form of every problem', async ({ args, want, code }) => {
    expect((await snoInProcess(args)).stderr).toBe(`error[${code ?? 'usage/unknown-argument'}]: ${want}`);
  });
});
