import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { liveMachine, type Machine } from './machine.js';

const client = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
const ownNames = 'DNS:sno1,IP:192.168.126.10,IP:fd2e:6f44::10';

interface Request {
  readonly signer: string;
  readonly username: string;
  readonly usages: readonly string[];
  readonly subject: string;
  /** As openssl's -addext takes it; none when undefined. */
  readonly alternativeNames?: string;
  /** The PEM to send instead of a request by openssl. */
  readonly pem?: string;
}

const ownClient: Request = {
  signer: client,
  username: bootstrapper,
  usages: ['digital signature', 'client auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
};
const ownServing: Request = {
  signer: serving,
  username: 'system:node:sno1',
  usages: ['digital signature', 'server auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
  alternativeNames: ownNames,
};

/** A SAN extension whose one or more DNS names may hold any byte. */
function rawNames(...names: readonly string[]): string {
  const entries = names.map((name) => element(0x82, Buffer.from(name)));
  return `DER:${element(0x30, Buffer.concat(entries)).toString('hex')}`;
}

function element(tag: number, contents: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, contents.length]), contents]);
}

const cases: readonly { name: string; given: Request; want: string }[] = [
  { name: "this kubelet's first client certificate", given: ownClient, want: '' },
  {
    name: 'its renewal, with an RSA usage',
    given: {
      ...ownClient,
      username: 'system:node:sno1',
      usages: ['key encipherment', 'digital signature', 'client auth'],
    },
    want: '',
  },
  { name: 'its serving certificate', given: ownServing, want: '' },
  {
    name: 'the other order of the subject',
    given: { ...ownServing, subject: '/CN=system:node:sno1/O=system:nodes' },
    want: '',
  },
  {
    name: 'another signer',
    given: { ...ownClient, signer: 'kubernetes.io/kube-apiserver-client' },
    want: 'its signer is kubernetes.io/kube-apiserver-client',
  },
  {
    name: 'a client certificate for another node',
    given: { ...ownClient, username: 'system:node:worker' },
    want: 'system:node:worker asks for it',
  },
  {
    name: 'a serving certificate asked for by the bootstrapper',
    given: { ...ownServing, username: bootstrapper },
    want: `${bootstrapper} asks for it`,
  },
  {
    name: 'a server among the usages of a client',
    given: { ...ownClient, usages: ['client auth', 'server auth'] },
    want: 'its usages are not those of a client',
  },
  {
    name: 'a client among the usages of a server',
    given: { ...ownServing, usages: ['server auth', 'client auth'] },
    want: 'its usages are not those of a server',
  },
  { name: 'no usage', given: { ...ownClient, usages: [] }, want: 'its usages are not those of a client' },
  {
    name: 'the subject of another node',
    given: { ...ownClient, subject: '/O=system:nodes/CN=system:node:worker' },
    want: 'its subject is CN=system:node:worker,O=system:nodes',
  },
  {
    name: 'the subject of an administrator',
    given: { ...ownClient, subject: '/O=system:masters/CN=system:node:sno1' },
    want: 'its subject is CN=system:node:sno1,O=system:masters',
  },
  {
    name: 'a second organization',
    given: { ...ownClient, subject: '/O=system:nodes/O=system:masters/CN=system:node:sno1' },
    want: 'its subject is CN=system:node:sno1,O=system:masters,O=system:nodes',
  },
  {
    name: 'a comma in the name that makes it look like ours',
    given: { ...ownClient, subject: '/CN=system:node:sno1,O=system:nodes' },
    want: String.raw`its subject is CN=system:node:sno1\,O\=system:nodes`.replace(String.raw`\=`, '='),
  },
  {
    name: 'a client with alternative names',
    given: { ...ownClient, alternativeNames: ownNames },
    want: 'it asks for alternative names',
  },
  {
    name: 'a server without names',
    given: withoutNames(ownServing),
    want: 'it asks for no name at all',
  },
  {
    name: 'a foreign DNS name',
    given: { ...ownServing, alternativeNames: `${ownNames},DNS:api.sno.example.com` },
    want: `it asks for a name or an address that is not this node's (82 ${hex('api.sno.example.com')})`,
  },
  {
    name: 'a foreign address',
    given: { ...ownServing, alternativeNames: 'DNS:sno1,IP:192.168.126.99' },
    want: "it asks for a name or an address that is not this node's (87 c0a87e63)",
  },
  {
    name: 'a foreign IPv6 address',
    given: { ...ownServing, alternativeNames: 'DNS:sno1,IP:fd2e:6f44::11' },
    want: "it asks for a name or an address that is not this node's (87 fd2e6f44000000000000000000000011)",
  },
  {
    name: 'a URI',
    given: { ...ownServing, alternativeNames: 'DNS:sno1,URI:spiffe://sno1' },
    want: `it asks for a name or an address that is not this node's (86 ${hex('spiffe://sno1')})`,
  },
  {
    name: 'a name that prints like several of ours',
    given: { ...ownServing, alternativeNames: rawNames('sno1, IP Address:192.168.126.10') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('sno1, IP Address:192.168.126.10')})`,
  },
  {
    name: 'a line end that hides the rest from readers of lines',
    given: { ...ownServing, alternativeNames: rawNames('sno1\n', 'evil.example.com') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('sno1\n')})`,
  },
  {
    name: 'a foreign name behind ours',
    given: { ...ownServing, alternativeNames: rawNames('sno1', 'evil.example.com') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('evil.example.com')})`,
  },
  {
    name: 'no certificate request at all',
    given: { ...ownClient, pem: 'nothing\n' },
    want: 'it is not signed by its own key',
  },
];

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function withoutNames(request: Request): Request {
  const { signer, username, usages, subject } = request;
  return { signer, username, usages, subject };
}

/** A request by the real openssl, of a throwaway key. */
function pemOf({ subject, alternativeNames, pem }: Request, key: string): string {
  if (pem !== undefined) return pem;
  const names = alternativeNames === undefined ? [] : ['-addext', `subjectAltName=${alternativeNames}`];
  const { status, stdout, stderr } = spawnSync(
    'openssl',
    ['req', '-new', '-key', key, '-subj', subject, ...names],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function throwawayKey(machine: Machine): string {
  const path = join(machine.root, 'throwaway.key');
  spawnSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path]);
  return path;
}

function objectOf(name: string, request: Request, key: string): object {
  const { signer, username, usages } = request;
  const spec = {
    signerName: signer,
    username,
    usages,
    request: Buffer.from(pemOf(request, key)).toString('base64'),
  };
  return { metadata: { name }, spec };
}

describeWith(['openssl', 'jq'], 'certificate requests', () => {
  test("only this kubelet's are without objection", () => {
    const machine = liveMachine();
    const key = throwawayKey(machine);
    mkdirSync(join(machine.root, 'requests'));
    cases.forEach(({ given }, index) => {
      const number = String(index).padStart(2, '0');
      machine.write(`requests/${number}`, JSON.stringify(objectOf(number, given, key)));
    });
    const each =
      'for file in "${SNO_ROOT}"/requests/*; do echo "$(objection_to "$(<"${file}")" || true)"; done';
    const { stdout } = machine.source('sno-csr.sh', each);
    const found = stdout.split('\n').slice(0, -1);
    expect(cases.map(({ name }, index) => [name, found[index]])).toEqual(
      cases.map(({ name, want }) => [name, want]),
    );
  });

  test('a request changed after it was signed', () => {
    const machine = liveMachine();
    const pem = pemOf(ownClient, throwawayKey(machine));
    const der = Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64');
    const at = der.indexOf('system:node:sno1') + 'system:node:sno'.length;
    der[at] = '2'.charCodeAt(0);
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`;
    machine.write('request', JSON.stringify(objectOf('forged', { ...ownClient, pem: forged }, '')));
    machine.answer('hostname', 'sno2\n');
    const { stdout } = machine.source('sno-csr.sh', 'objection_to "$(<"${SNO_ROOT}/request")" || true');
    expect(stdout).toBe('it is not signed by its own key\n');
  });

  test('approves what is ours among the rest, and says once why not the rest', () => {
    const machine = liveMachine();
    const key = throwawayKey(machine);
    const decided = { ...objectOf('decided', ownClient, key), status: { conditions: [{ type: 'Denied' }] } };
    const foreign = objectOf('foreign', { ...ownClient, username: 'system:node:worker' }, key);
    const items = [
      objectOf('client', ownClient, key),
      foreign,
      decided,
      objectOf('serving', ownServing, key),
    ];
    machine.answer('oc-get-csr', JSON.stringify({ items }));
    const { status, stderr } = machine.source('sno-csr.sh', 'approve_own_requests; approve_own_requests');
    expect(status).toBe(0);
    expect(stderr).toBe(
      "certificate request foreign is not this kubelet's, it is left alone: system:node:worker asks for it\n",
    );
    expect(machine.calls('oc').filter((call) => call.startsWith('adm'))).toEqual([
      'adm certificate approve client --request-timeout=30s',
      'adm certificate approve serving --request-timeout=30s',
      'adm certificate approve client --request-timeout=30s',
      'adm certificate approve serving --request-timeout=30s',
    ]);
  });

  test('a host name in capitals: the kubelet registers in small letters', () => {
    const machine = liveMachine();
    machine.answer('hostname', 'SNO1\n');
    machine.write('request', JSON.stringify(objectOf('own', ownServing, throwawayKey(machine))));
    const { status } = machine.source('sno-csr.sh', 'objection_to "$(<"${SNO_ROOT}/request")"');
    expect(status).toBe(0);
  });

  test('an API server that does not answer', () => {
    const machine = liveMachine();
    machine.fail('oc', 'always');
    expect(machine.source('sno-csr.sh', 'approve_own_requests').status).toBe(1);
  });

  test('approve-csr.sh looks until bootkube is done', () => {
    const machine = liveMachine();
    machine.answer(
      'oc-get-csr',
      JSON.stringify({ items: [objectOf('own', ownClient, throwawayKey(machine))] }),
    );
    machine.killAt('oc-adm-certificate-approve-own', 1);
    expect(machine.run('approve-csr.sh', { args: ['/kubeconfig'] }).signal).toBe('SIGKILL');
    expect(machine.calls('sleep')).toEqual(['20']);
    machine.write('opt/openshift/.bootkube.done', '');
    machine.forgetCalls();
    expect(machine.run('approve-csr.sh', { args: ['/kubeconfig'] }).status).toBe(0);
    expect(machine.calls('oc')).toEqual([]);
  });
});

test('addresses become their bytes', () => {
  const addresses = [
    '192.168.126.10',
    '10.0.0.255',
    'fd2e:6f44::10',
    '::1',
    'fe80::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
  ];
  const machine = liveMachine();
  const { stdout } = machine.source(
    'sno-csr.sh',
    'for address in ${ADDRESSES}; do address_hex "${address}"; echo; done',
    {
      ADDRESSES: addresses.join(' '),
    },
  );
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'c0a87e0a',
    '0a0000ff',
    'fd2e6f44000000000000000000000010',
    '00000000000000000000000000000001',
    'fe800000000000000000000000000000',
    '00010002000300040005000600070008',
    '00010002000300040005000600070000',
  ]);
});
