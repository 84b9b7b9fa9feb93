import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { liveMachine, type Machine } from './machine.js';
import {
  bootstrapper,
  client,
  nodeInState,
  objectOf,
  ownClient,
  ownNames,
  ownServing,
  pemOf,
  pendingKey,
  type NodeState,
  type Request,
} from './requests.js';

/** A SAN extension with one or more DNS names, which may contain any byte. */
function rawNames(...names: readonly string[]): string {
  const entries = names.map((name) => element(0x82, Buffer.from(name)));
  return `DER:${element(0x30, Buffer.concat(entries)).toString('hex')}`;
}

function element(tag: number, contents: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, contents.length]), contents]);
}

interface Case {
  readonly name: string;
  readonly given: Request;
  /** Default: `joining` for requests of the node-bootstrapper, `joined` for all others. */
  readonly node?: NodeState;
  readonly want: string;
}

const noPendingKey = "its key is not the one that waits on this node's disk";
const otherCertificate = 'it was not asked for with the certificate that the kubelet holds';

const cases: readonly Case[] = [
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
    name: "an attacker's first certificate, before the join",
    given: { ...ownClient, hasOtherKey: true },
    want: noPendingKey,
  },
  {
    name: "an attacker's first certificate, after the join",
    given: { ...ownClient, hasOtherKey: true },
    node: 'joined',
    want: 'the kubelet has its client certificate already',
  },
  {
    name: 'a second first certificate for the same key',
    given: ownClient,
    node: 'joined',
    want: 'the kubelet has its client certificate already',
  },
  {
    name: 'the key of this node in a request of another user, who cannot use the certificate',
    given: { ...ownClient, username: 'system:admin' },
    node: 'joining',
    want: '',
  },
  {
    name: 'another key, requested by an administrator',
    given: { ...ownClient, username: 'system:admin', hasOtherKey: true },
    node: 'joining',
    want: noPendingKey,
  },
  {
    name: 'a renewal requested with the current certificate',
    given: {
      ...ownClient,
      username: 'system:node:sno1',
      presentedKey: 'current certificate',
      hasOtherKey: true,
    },
    want: '',
  },
  {
    name: 'a renewal requested with another certificate of this name',
    given: { ...ownClient, username: 'system:node:sno1', presentedKey: 'another certificate' },
    want: otherCertificate,
  },
  {
    name: 'a serving certificate requested with the current certificate',
    given: { ...ownServing, presentedKey: 'current certificate' },
    want: '',
  },
  {
    name: 'a serving certificate requested with another certificate of this name',
    given: { ...ownServing, presentedKey: 'another certificate' },
    want: otherCertificate,
  },
  {
    name: "this node's name while its kubelet has no certificate",
    given: { ...ownServing, presentedKey: 'another certificate' },
    node: 'joining',
    want: otherCertificate,
  },
  {
    name: "this node's name, from an API server that does not report the client certificate",
    given: ownServing,
    node: 'joining',
    want: otherCertificate,
  },
  {
    name: "the subject's fields in another order",
    given: { ...ownServing, subject: '/CN=system:node:sno1/O=system:nodes' },
    want: '',
  },
  {
    name: 'another signer',
    given: { ...ownClient, signer: 'kubernetes.io/kube-apiserver-client' },
    want: 'its signer is kubernetes.io/kube-apiserver-client',
  },
  {
    name: 'a client certificate requested by another node',
    given: { ...ownClient, username: 'system:node:worker', hasOtherKey: true },
    node: 'joining',
    want: noPendingKey,
  },
  {
    name: 'a serving certificate requested by the bootstrapper',
    given: { ...ownServing, username: bootstrapper },
    want: `${bootstrapper} asks for it`,
  },
  {
    name: 'server auth among the usages of a client certificate',
    given: { ...ownClient, usages: ['client auth', 'server auth'] },
    want: 'its usages are not those of a client',
  },
  {
    name: 'client auth among the usages of a serving certificate',
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
    name: "a comma in the name that imitates this node's subject",
    given: { ...ownClient, subject: '/CN=system:node:sno1,O=system:nodes' },
    want: String.raw`its subject is CN=system:node:sno1\,O\=system:nodes`.replace(String.raw`\=`, '='),
  },
  {
    name: 'a client certificate with subject alternative names',
    given: { ...ownClient, alternativeNames: ownNames },
    want: 'it asks for alternative names',
  },
  {
    name: 'a serving certificate without subject alternative names',
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
    name: 'a name that prints like several names of this node',
    given: { ...ownServing, alternativeNames: rawNames('sno1, IP Address:192.168.126.10') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('sno1, IP Address:192.168.126.10')})`,
  },
  {
    name: 'a line break that hides the rest from line-based parsers',
    given: { ...ownServing, alternativeNames: rawNames('sno1\n', 'evil.example.com') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('sno1\n')})`,
  },
  {
    name: "a foreign name after this node's name",
    given: { ...ownServing, alternativeNames: rawNames('sno1', 'evil.example.com') },
    want: `it asks for a name or an address that is not this node's (82 ${hex('evil.example.com')})`,
  },
  {
    name: 'data that is no certificate request',
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

/** The node's reasons to reject a request. Empty if it approves. */
function objectionsOn(machine: Machine, requests: readonly Request[]): readonly string[] {
  mkdirSync(join(machine.root, 'requests'));
  requests.forEach((request, index) => {
    const number = String(index).padStart(2, '0');
    machine.write(`requests/${number}`, JSON.stringify(objectOf(machine, number, request)));
  });
  const each =
    'for file in "${SNO_ROOT}"/requests/*; do echo "$(objection_to "$(<"${file}")" || true)"; done';
  return machine.source('sno-csr.sh', each).stdout.split('\n').slice(0, -1);
}

function stateOf({ node, given }: Case): NodeState {
  return node ?? (given.username === bootstrapper && given.signer === client ? 'joining' : 'joined');
}

describeWith(['openssl', 'jq'], 'certificate requests', () => {
  test.each(['joining', 'joined'] as const)('accepts only those of this kubelet: %s', (state) => {
    const some = cases.filter((each) => stateOf(each) === state);
    const found = objectionsOn(
      nodeInState(state),
      some.map(({ given }) => given),
    );
    expect(some.map(({ name }, index) => [name, found[index]])).toEqual(
      some.map(({ name, want }) => [name, want]),
    );
  });

  test('rejects a request that was changed after it was signed', () => {
    const machine = nodeInState('joining');
    const pem = pemOf(ownClient, join(machine.root, pendingKey));
    const der = Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64');
    const at = der.indexOf('system:node:sno1') + 'system:node:sno'.length;
    der[at] = '2'.charCodeAt(0);
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`;
    machine.answer('hostname', 'sno2\n');
    expect(objectionsOn(machine, [{ ...ownClient, pem: forged }])).toEqual([
      'it is not signed by its own key',
    ]);
  });

  test('approves its own requests, and logs once why it skips others', () => {
    const machine = nodeInState('joined');
    const decided = {
      ...objectOf(machine, 'decided', ownServing),
      status: { conditions: [{ type: 'Denied' }] },
    };
    const items = [
      objectOf(machine, 'client', { ...ownClient, username: 'system:node:sno1' }),
      objectOf(machine, 'foreign', { ...ownServing, username: 'system:node:worker' }),
      objectOf(machine, 'late', { ...ownClient, hasOtherKey: true }),
      decided,
      objectOf(machine, 'serving', ownServing),
    ];
    machine.answer('oc-get-csr', JSON.stringify({ items }));
    const { status, stderr } = machine.source('sno-csr.sh', 'approve_own_requests; approve_own_requests');
    expect(status).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'certificate request foreign is not from this kubelet and is not approved: system:node:worker asks for it',
      'certificate request late is not approved: the kubelet has its client certificate already',
    ]);
    expect(machine.calls('oc').filter((call) => call.startsWith('adm'))).toEqual([
      'adm certificate approve client --request-timeout=30s',
      'adm certificate approve serving --request-timeout=30s',
      'adm certificate approve client --request-timeout=30s',
      'adm certificate approve serving --request-timeout=30s',
    ]);
  });

  test('accepts the lower-case name of a host name in capitals', () => {
    const machine = nodeInState('joined');
    machine.answer('hostname', 'SNO1\n');
    expect(objectionsOn(machine, [ownServing])).toEqual(['']);
  });

  test('does not shorten a host name that contains itself', () => {
    const machine = nodeInState('joined');
    const name = `node-${'1'.repeat(58)}`;
    machine.answer('hostname', `${name}\n`);
    const { stdout } = machine.source('sno-csr.sh', 'own_names');
    expect(stdout.split('\n')[0]).toBe(`82 ${Buffer.from(name).toString('hex')}`);
  });

  test('stops if the API server does not answer', () => {
    const machine = liveMachine();
    machine.fail('oc', 'always');
    expect(machine.source('sno-csr.sh', 'approve_own_requests').status).toBe(1);
  });

  test('approve-csr.sh runs until bootkube is done', () => {
    const machine = nodeInState('joining');
    machine.answer('oc-get-csr', JSON.stringify({ items: [objectOf(machine, 'own', ownClient)] }));
    machine.killAt('oc-adm-certificate-approve-own', 1);
    expect(machine.run('approve-csr.sh', { args: ['/kubeconfig'] }).signal).toBe('SIGKILL');
    expect(machine.calls('sleep')).toEqual(['20']);
    machine.write('opt/openshift/.bootkube.done', '');
    machine.forgetCalls();
    expect(machine.run('approve-csr.sh', { args: ['/kubeconfig'] }).status).toBe(0);
    expect(machine.calls('oc')).toEqual([]);
  });
});

test('IP addresses are converted to bytes', () => {
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
