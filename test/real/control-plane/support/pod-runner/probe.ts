import { isIPv6 } from 'node:net';

import { runProgram } from '../run-program.js';
import type { RunningContainer, Surroundings } from './container.js';
import type { Container, Probe } from './manifest.js';

/** Runs a probe once. */
export async function passes(
  probe: Probe,
  container: Container,
  running: RunningContainer,
  { network, node }: Surroundings,
): Promise<boolean> {
  const { httpGet, exec, tcpSocket } = probe;
  if (exec) return (await running.exec(exec.command)).code === 0;
  const host = httpGet?.host ?? tcpSocket?.host ?? node.addresses[0] ?? '127.0.0.1';
  const port = portOf(container, httpGet?.port ?? tcpSocket?.port);
  if (httpGet) {
    const url = `${httpGet.scheme.toLowerCase()}://${isIPv6(host) ? `[${host}]` : host}:${port}${httpGet.path}`;
    const headers = httpGet.httpHeaders.flatMap(({ name, value }) => ['--header', `${name}: ${value}`]);
    // Like the kubelet, accepts any certificate and any status from 200 to 399.
    const flags = [
      '--silent',
      '--insecure',
      '--max-time',
      `${probe.timeoutSeconds}`,
      '--output',
      '/dev/null',
    ];
    const result = await runProgram([
      ...network,
      'curl',
      ...flags,
      ...headers,
      '--write-out',
      '%{http_code}',
      url,
    ]);
    return result.code === 0 && /^[23]/.test(result.stdout);
  }
  const script = 'exec 3<>"/dev/tcp/$0/$1"';
  const result = await runProgram([
    ...network,
    'timeout',
    `${probe.timeoutSeconds}`,
    'bash',
    '-c',
    script,
    host,
    port,
  ]);
  return result.code === 0;
}

function portOf({ ports }: Container, port: number | string | undefined): string {
  const named = ports.find(({ name }) => name !== undefined && name === port);
  return `${named?.containerPort ?? port ?? ''}`;
}
