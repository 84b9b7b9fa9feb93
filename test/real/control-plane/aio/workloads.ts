import { expect, test } from 'vitest';

import { machineTimeoutMs } from '../support/tools.js';
import { waitUntil } from '../support/wait-until.js';
import type { NodeUnderTest } from './node.js';
import { testImage } from './offered.js';

/** Tests that pods run and reach each other through Services and DNS. */
export function workloadTests(node: NodeUnderTest): void {
  const { kubectl } = node;

  test(
    'schedules a Deployment and reaches its Service from the node, a pod and itself',
    async () => {
      await kubectl(['create', '--filename=-'], web);
      await waitForWeb(node);
      expect(await requestService(node)).toBe('web');
      for (const [index, address] of (await addressesOf(node)).entries()) {
        const url = `http://${urlHost(address)}/`;
        // With one replica, the pod connects to itself through the Service.
        expect(await kubectl(['exec', 'deployment/web', '--', '/http-server', 'get', url])).toBe('web');
        const name = `asks-address-${index}`;
        await kubectl(['create', '--filename=-'], pod(name, ['get', url]));
        expect(await saidBy(name)).toBe('web');
      }
    },
    machineTimeoutMs,
  );

  test(
    'resolves the names of the cluster in a pod, by CoreDNS',
    async () => {
      const addresses = await addressesOf(node);
      await kubectl(
        ['create', '--filename=-'],
        pod('resolves', ['resolve', 'web.default.svc.cluster.local']),
      );
      await kubectl(['create', '--filename=-'], pod('asks-name', ['get', 'http://web/']));
      expect(await saidBy('resolves')).toBe(`${addresses.toSorted().join('\n')}\n`);
      expect(await saidBy('asks-name')).toBe('web');
    },
    machineTimeoutMs,
  );

  /** The log of a pod after it has succeeded. */
  async function saidBy(name: string): Promise<string> {
    await waitUntil(`the pod ${name} to succeed`, async () => {
      const phase = await kubectl(['get', 'pod', name, '--output=jsonpath={.status.phase}']);
      if (phase !== 'Succeeded') throw new Error(`it is ${phase}: ${await kubectl(['logs', name])}`);
      return true;
    });
    return kubectl(['logs', name]);
  }
}

/** Polls until the Deployment of these tests is rolled out. */
export async function waitForWeb({ kubectl }: NodeUnderTest): Promise<void> {
  await waitUntil('the Deployment to be there', () =>
    kubectl(['rollout', 'status', 'deployment/web', '--timeout=60s']),
  );
}

/** Waits for a response of the Service to the node. It must be the same on each address. */
export async function requestService(node: NodeUnderTest): Promise<string> {
  const answers = new Set<string>();
  for (const address of await addressesOf(node)) {
    const url = `http://${urlHost(address)}/`;
    const answer = await waitUntil(`the Service to answer on ${address}`, () =>
      node.machine().exec(['curl', '--silent', '--fail', '--globoff', '--max-time', '5', url]),
    );
    answers.add(answer);
  }
  return [...answers].join(' and ');
}

/** The addresses of the Service, one per address family. */
export async function addressesOf({ kubectl }: NodeUnderTest): Promise<readonly string[]> {
  const text = await kubectl(['get', 'service', 'web', '--output=jsonpath={.spec.clusterIPs}']);
  return JSON.parse(text) as readonly string[];
}

function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

const labels = { app: 'web' };

const web = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: 'server',
                image: testImage,
                args: ['serve', ':8080'],
                env: [{ name: 'ANSWER', value: 'web' }],
                readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 2 },
              },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: {
        selector: labels,
        ports: [{ port: 80, targetPort: 8080 }],
        ipFamilyPolicy: 'PreferDualStack',
      },
    },
  ],
};

function pod(name: string, args: readonly string[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    // A Service becomes reachable shortly after its pods are ready.
    spec: { restartPolicy: 'OnFailure', containers: [{ name: 'client', image: testImage, args }] },
  };
}
