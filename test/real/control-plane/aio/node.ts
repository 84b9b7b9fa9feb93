import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import type { Machine } from '../support/machine.js';
import type { ProgramResult } from '../support/run-program.js';
import { buildTimeoutMs } from '../support/tools.js';
import { waitUntil } from '../support/wait-until.js';
import { prepareAioNode, type AioNode, type NodeCase } from './boot.js';

/** The machine that the tests of a suite share and use in order. */
export interface NodeUnderTest {
  readonly laid: () => AioNode;
  /** The current machine. `bootAgain` replaces it. */
  readonly machine: () => Machine;
  /** Simulates a power failure, runs `between`, and boots the machine again. */
  readonly bootAgain: (between?: () => void) => Promise<void>;
  /** The output of kubectl with auth/kubeconfig. */
  readonly kubectl: (argv: readonly string[], input?: object) => Promise<string>;
  /** Runs kubectl with a certificate on the node. */
  readonly kubectlAs: (identity: Identity, argv: readonly string[], input?: object) => Promise<ProgramResult>;
}

/** Paths on the node. */
export interface Identity {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Prepares and boots a machine before the tests of this suite, and removes it after them. */
export function nodeUnderTest(given: NodeCase | (() => NodeCase)): NodeUnderTest {
  let scratch: string | undefined;
  let node: AioNode | undefined;
  let running: Machine | undefined;
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'sno-install-aio-'));
    node = await prepareAioNode(scratch, typeof given === 'function' ? given() : given);
    running = await node.boot();
  }, buildTimeoutMs);
  afterAll(async () => {
    await running?.stop();
    if (scratch !== undefined) rmSync(scratch, { recursive: true });
  });

  const machine = (): Machine => present(running);
  return {
    laid: () => present(node),
    machine,
    bootAgain: async (between) => {
      await machine().stop();
      between?.();
      running = await present(node).boot();
    },
    kubectl: async (argv, input) => {
      const { code, stdout, stderr } = await machine().kubectl(
        present(node).site.kubeconfig,
        argv,
        textOf(input),
      );
      if (code !== 0) throw new Error(`kubectl ${argv.join(' ')}: ${stderr}`);
      return stdout;
    },
    kubectlAs: (identity, argv, input) =>
      machine().run(['kubectl', ...flagsOf(identity), ...argv], textOf(input)),
  };
}

/** The identities of the node's components. */
export const kubeletIdentity: Identity = {
  certFile: '/var/lib/kubelet/pki/kubelet-client-current.pem',
  keyFile: '/var/lib/kubelet/pki/kubelet-client-current.pem',
};

/** The identity of a control plane component, by its certificate's name in the list of renewals. */
export async function componentIdentity({ machine }: NodeUnderTest, name: string): Promise<Identity> {
  const rows = (await machine().exec(['cat', '/etc/sno-install/certificates.tsv'])).split('\n');
  const [, , , , , keyFile = '', certFiles = ''] =
    rows.map((row) => row.split('\t')).find((row) => row[0] === name) ?? [];
  return { certFile: certFiles.split(' ')[0] ?? '', keyFile };
}

/** Polls until the node and all of its pods are Ready. */
export async function waitForNode(node: NodeUnderTest): Promise<void> {
  await waitUntil('the node and its pods to be Ready', async () => {
    const ready = await node.kubectl(['get', 'nodes', `--output=jsonpath=${readyPath}`]);
    const pods = await node.kubectl([
      'get',
      'pods',
      '--namespace=kube-system',
      `--output=jsonpath=${readyPath}`,
    ]);
    if (ready !== 'True ' || pods.includes('False') || pods === '')
      throw new Error(`they are ${ready}and ${pods}`);
    return true;
  });
}

const readyPath = '{range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{" "}{end}';

function flagsOf({ certFile, keyFile }: Identity): readonly string[] {
  return [
    '--kubeconfig=/dev/null',
    '--server=https://localhost:6443',
    '--certificate-authority=/etc/kubernetes/pki/api-server-ca.crt',
    `--client-certificate=${certFile}`,
    `--client-key=${keyFile}`,
  ];
}

function textOf(input: object | undefined): string | undefined {
  return input === undefined ? undefined : JSON.stringify(input);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the machine did not boot');
  return value;
}
