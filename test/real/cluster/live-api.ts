import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';

import {
  kubeconfigText,
  throwawayAuthority,
  type Authority,
  type KubeconfigParts,
  type Pair,
} from '../../remote/kubernetes/throwaway-tls.js';
import { outputOf } from '../control-plane/support/run-program.js';
import { toolPath } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { freePort } from '../../support/ports.js';

/** The name in the API's certificate. Clients connect by address, because no DNS resolves the name. */
const name = 'api.site1.example.com';

/** A real kube-apiserver with a real etcd on loopback, as on a cluster's node. */
export interface LiveApi {
  /** Starts kube-apiserver with the existing etcd data. */
  start(): Promise<void>;
  /** Stops kube-apiserver like a reboot: connections break, and the port refuses new ones. */
  stop(): Promise<void>;
  /** Stops all processes. */
  close(): Promise<void>;
  /** Runs kubectl as administrator and returns its output. */
  kubectl(args: readonly string[], input?: object): Promise<string>;
  /** The administrator's kubeconfig with some fields replaced. */
  kubeconfig(parts?: Partial<KubeconfigParts>): string;
  readonly clientAuthority: Authority;
}

/** Prepares an API server without starting it. Its files are in `folder`. */
export async function liveApi(folder: string): Promise<LiveApi> {
  const apiserverPath = await toolPath('kubernetes', 'kube-apiserver');
  const [etcdPort, port] = [await freePort(), await freePort()];
  const { files, clientAuthority, access } = await issuePki(folder);
  const kubeconfig: LiveApi['kubeconfig'] = (parts = {}) =>
    kubeconfigText({ server: `https://127.0.0.1:${port}`, ...access, ...parts });
  const kubeconfigPath = join(folder, 'admin-kubeconfig');
  writeFileSync(kubeconfigPath, kubeconfig(), { mode: 0o600 });

  const etcd = run(await toolPath('etcd', 'etcd'), await etcdArguments(join(folder, 'etcd'), etcdPort));
  let apiserver: Running | undefined;
  const stop = async (): Promise<void> => {
    await end(apiserver);
    apiserver = undefined;
  };
  return {
    clientAuthority,
    kubeconfig,
    stop,
    start: async () => {
      const running = run(apiserverPath, apiserverArguments(files, { port, etcdPort }));
      apiserver = running;
      const ready = waitUntil('kube-apiserver', () => isReady(port, access.caPem), { pauseMs: 100 });
      await Promise.race([ready, diesEarly(running), diesEarly(etcd)]);
    },
    close: async () => {
      await stop();
      await end(etcd);
    },
    kubectl: (args, input) =>
      outputOf(
        ['kubectl', `--kubeconfig=${kubeconfigPath}`, ...args],
        input === undefined ? '' : JSON.stringify(input),
      ),
  };
}

interface PkiOfApi {
  readonly files: PkiFiles;
  readonly clientAuthority: Authority;
  /** The contents of the administrator's kubeconfig except the address. */
  readonly access: { readonly caPem: string; readonly client: Pair; readonly cluster: object };
}

async function issuePki(folder: string): Promise<PkiOfApi> {
  const serverAuthority = await throwawayAuthority('kube-apiserver-lb-signer');
  const clientAuthority = await throwawayAuthority('admin-kubeconfig-signer');
  const serving = await serverAuthority.issue({ commonName: name, names: [name] });
  const admin = await clientAuthority.issue({ commonName: 'system:admin', organization: 'system:masters' });
  return {
    files: writePki(folder, { serving, clientCa: clientAuthority.certPem }),
    clientAuthority,
    access: { caPem: serverAuthority.certPem, client: admin, cluster: { 'tls-server-name': name } },
  };
}

async function etcdArguments(dataFolder: string, port: number): Promise<readonly string[]> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  return [
    `--data-dir=${dataFolder}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

interface PkiFiles {
  readonly servingCert: string;
  readonly servingKey: string;
  readonly clientCa: string;
}

function writePki(folder: string, pki: { readonly serving: Pair; readonly clientCa: string }): PkiFiles {
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text, { mode: 0o600 });
    return join(folder, file);
  };
  return {
    servingCert: write('serving.crt', pki.serving.certPem),
    servingKey: write('serving.key', pki.serving.keyPem),
    clientCa: write('client-ca.crt', pki.clientCa),
  };
}

/** Source: kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver */
function apiserverArguments(
  { servingCert, servingKey, clientCa }: PkiFiles,
  { port, etcdPort }: { readonly port: number; readonly etcdPort: number },
): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${servingCert}`,
    `--tls-private-key-file=${servingKey}`,
    `--client-ca-file=${clientCa}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    // Reuses the serving certificate: a separate throwaway key would test nothing more.
    `--service-account-key-file=${servingCert}`,
    `--service-account-signing-key-file=${servingKey}`,
    '--service-cluster-ip-range=172.30.0.0/16',
    // Otherwise kube-apiserver rejects an endpoint on loopback at every start.
    '--endpoint-reconciler-type=none',
  ];
}

interface Running {
  readonly process: ChildProcess;
  readonly log: () => string;
}

function run(program: string, args: readonly string[]): Running {
  const process = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  process.stderr.setEncoding('utf8').on('data', (text: string) => (log = `${log}${text}`.slice(-20_000)));
  return { process, log: () => log };
}

async function end(running: Running | undefined): Promise<void> {
  if (running === undefined || running.process.exitCode !== null || running.process.signalCode !== null)
    return;
  const exited = once(running.process, 'exit');
  // A power failure of the node ends it the same way.
  running.process.kill('SIGKILL');
  await exited;
}

async function diesEarly({ process, log }: Running): Promise<never> {
  await once(process, 'exit');
  throw new Error(`${process.spawnfile} ended: ${log()}`);
}

async function isReady(port: number, ca: string): Promise<true | undefined> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, ca, servername: name, path: '/readyz' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  return status === 200 ? true : undefined;
}
