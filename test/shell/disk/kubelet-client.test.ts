import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { expect, test } from 'vitest';

import { openssl } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { liveMachine, type Machine } from './machine.js';
import {
  certificateOf,
  client,
  currentCertificate,
  otherKey,
  nodeInState,
  objectOf,
  ownClient,
  pendingKey,
  pki,
} from './requests.js';

const noPendingKey = "its key is not the one that waits on this node's disk";

describeWith(['openssl', 'jq'], "the kubelet's first client certificate", () => {
  /** The node's requests to the cluster. */
  const credentialsOf = (machine: Machine): SeenCredentials =>
    JSON.parse(readFileSync(join(machine.stub, 'given'), 'utf8')) as SeenCredentials;
  const admit = (machine: Machine) => machine.source('sno-csr.sh', 'admit_kubelet');
  const changes = (machine: Machine) => machine.calls('oc').filter((call) => !call.startsWith('get'));

  /** The cluster's answer: the node's request, and those of others. */
  function answerWith(machine: Machine, status: object, others: readonly object[] = []): void {
    const { metadata, spec } = credentialsOf(machine);
    const own = { metadata, spec: { ...spec, username: 'system:admin' }, status };
    machine.answer(`oc-get-csr-${metadata.name}`, JSON.stringify(own));
    machine.answer('oc-get-csr', JSON.stringify({ items: [...others, own] }));
  }

  test("is requested with a key of this node and written to the kubelet's path", () => {
    const machine = liveMachine();
    machine.answer('oc-get-csr', '{"items":[]}');
    expect(admit(machine).status).toBe(0);
    const key = machine.read(pendingKey);
    const { metadata, spec } = credentialsOf(machine);
    expect([machine.modeOf(pendingKey), spec.signerName, spec.usages]).toEqual([
      '600',
      client,
      ['digital signature', 'key encipherment', 'client auth'],
    ]);

    const stolen = objectOf(machine, 'stolen', { ...ownClient, hasOtherKey: true });
    answerWith(machine, {}, [stolen]);
    expect(admit(machine).stderr).toBe(`certificate request stolen is not approved: ${noPendingKey}\n`);
    expect(changes(machine)).toEqual([
      'create --request-timeout=30s --filename=-',
      `adm certificate approve ${metadata.name} --request-timeout=30s`,
    ]);

    const certificate = certificateOf(join(machine.root, pendingKey));
    answerWith(machine, {
      conditions: [{ type: 'Approved' }],
      certificate: Buffer.from(certificate).toString('base64'),
    });
    machine.forgetCalls();
    expect(admit(machine).status).toBe(0);
    expect(machine.read(currentCertificate)).toBe(certificate + key);
    expect(lstatSync(join(machine.root, currentCertificate)).isSymbolicLink()).toBe(true);
    const file = basename(realpathSync(join(machine.root, currentCertificate)));
    expect([file, machine.modeOf(`${pki}/${file}`)]).toEqual([
      'kubelet-client-2026-01-02-03-04-05.pem',
      '600',
    ]);
    expect(machine.list().filter((path) => path.startsWith(`/${pki}`))).toEqual([
      `/${pki}/${file}`,
      `/${currentCertificate}`,
    ]);
    expect(machine.calls('systemctl')).toEqual(['--no-block try-restart kubelet.service']);

    machine.forgetCalls();
    expect([admit(machine).status, machine.calls('systemctl'), changes(machine)]).toEqual([0, [], []]);
  });

  // X.509 limits common names to 64 characters; "system:node:" and a host name have up to 75.
  test('is requested by a node with a host name of 63 characters', () => {
    const machine = liveMachine();
    const name = `${'a'.repeat(31)}.${'b'.repeat(31)}`;
    machine.answer('hostname', `${name}\n`);
    machine.answer('oc-get-csr', '{"items":[]}');
    expect(admit(machine)).toMatchObject({ status: 0, stderr: '' });
    answerWith(machine, {});
    const pem = Buffer.from(credentialsOf(machine).spec.request, 'base64').toString();
    expect(openssl(['req', '-noout', '-subject', '-nameopt', 'RFC2253'], pem).stdout).toBe(
      `subject=CN=system:node:${name},O=system:nodes\n`,
    );
    machine.forgetCalls();
    expect(admit(machine).status).toBe(0);
    expect(changes(machine)).toEqual([
      `adm certificate approve ${credentialsOf(machine).metadata.name} --request-timeout=30s`,
    ]);
  });

  test('is requested again with another key if the kubelet lost it', () => {
    const machine = nodeInState('joined');
    machine.answer('oc-get-csr', '{"items":[]}');
    for (const path of [pendingKey, currentCertificate]) rmSync(join(machine.root, path));
    expect(admit(machine).status).toBe(0);
    expect(credentialsOf(machine).spec.signerName).toBe(client);
  });

  test('is requested again when it has expired', () => {
    const machine = nodeInState('joined');
    machine.answer('oc-get-csr', '{"items":[]}');
    machine.setClock(Date.now() / 1000 + 4000 * 86_400);
    expect(admit(machine).status).toBe(0);
    expect(credentialsOf(machine).spec.signerName).toBe(client);
  });

  test('uses the key that the kubelet stored', () => {
    const machine = nodeInState('joining');
    const key = machine.read(pendingKey);
    machine.answer('oc-get-csr', '{"items":[]}');
    admit(machine);
    expect(machine.read(pendingKey)).toBe(key);
  });

  test('sends a new request with another key after a denial', () => {
    const machine = nodeInState('joining');
    machine.answer('oc-get-csr', '{"items":[]}');
    admit(machine);
    const first = credentialsOf(machine).metadata.name;
    answerWith(machine, { conditions: [{ type: 'Denied' }] });
    expect(admit(machine).stderr).toContain(
      `certificate request ${first} is Denied: generating another key\n`,
    );
    admit(machine);
    expect(credentialsOf(machine).metadata.name).not.toBe(first);
  });

  test('is issued by the commands in the docs on a node without files of the installation', () => {
    const machine = liveMachine();
    mkdirSync(join(machine.root, pki), { recursive: true });
    const [, , commands = ''] = readFileSync('docs/boot-flow.md', 'utf8').split(
      /^#### Certificates of the kubelet$|```sh\n/m,
    );
    const block = (commands.split('```')[0] ?? '').replace('/var/lib', join(machine.root, 'var/lib'));
    machine.write('programs/oc', signingCluster, 0o700);
    machine.write('programs/systemctl', '#!/bin/sh\necho "${@}" >"${ROOT}/restarted"\n', 0o700);
    const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', block], {
      encoding: 'utf8',
      env: { PATH: `${join(machine.root, 'programs')}:/usr/sbin:/usr/bin:/sbin:/bin`, ROOT: machine.root },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const held = machine.source(
      'sno-csr.sh',
      'holds_client_certificate && openssl x509 -in "${kubelet_client_certificate}" -noout -subject',
    );
    expect(held.stdout).toMatch(/^subject=O ?= ?system:nodes, CN ?= ?system:node:\S+\n$/);
    expect([machine.read('restarted'), machine.read('approved')]).toEqual([
      'restart kubelet\n',
      machine.read('asked'),
    ]);
  });

  test('is rejected if it belongs to another key', () => {
    const machine = nodeInState('joining');
    machine.answer('oc-get-csr', '{"items":[]}');
    admit(machine);
    const certificate = Buffer.from(certificateOf(otherKey(machine))).toString('base64');
    answerWith(machine, { conditions: [{ type: 'Approved' }], certificate });
    expect(admit(machine).stderr).toContain(
      "the certificate from the cluster does not match this node's key\n",
    );
    expect([machine.has(currentCertificate), machine.has(pendingKey)]).toEqual([false, true]);
  });
});

/** A stub of oc for a cluster that signs approved requests. */
const signingCluster = `#!/usr/bin/env bash
set -euo pipefail
case "\${1} \${2}" in
  'create --filename=-')
    cat >"\${ROOT}/object"
    jq --raw-output .metadata.name "\${ROOT}/object" >"\${ROOT}/asked"
    ;;
  'adm certificate') echo "\${4}" >"\${ROOT}/approved" ;;
  'get csr')
    jq --raw-output .spec.request "\${ROOT}/object" | base64 --decode >"\${ROOT}/request"
    openssl req -x509 -newkey rsa:2048 -noenc -keyout "\${ROOT}/ca.key" -out "\${ROOT}/ca.crt" -subj /CN=ca 2>/dev/null
    openssl x509 -req -in "\${ROOT}/request" -CA "\${ROOT}/ca.crt" -CAkey "\${ROOT}/ca.key" 2>/dev/null | base64 --wrap=0
    ;;
esac
`;

interface SeenCredentials {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly signerName: string;
    readonly usages: readonly string[];
    readonly request: string;
  };
}
