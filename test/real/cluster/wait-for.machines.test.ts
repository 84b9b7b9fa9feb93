import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { waitProgress } from '../../../src/cli/wait/wait-for.js';
import type { Clock } from '../../../src/remote/kubernetes/clock.js';
import { bootstrapComplete } from '../../../src/remote/kubernetes/goals/bootstrap-complete.js';
import { installComplete } from '../../../src/remote/kubernetes/goals/install-complete.js';
import { nodeReady } from '../../../src/remote/kubernetes/goals/node-ready.js';
import { connect } from '../../../src/remote/kubernetes/kubernetes-client.js';
import { waitFor, type WaitResult, type Goal } from '../../../src/remote/kubernetes/wait.js';
import { fleetFolder } from '../../fleet/files.js';
import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { expectOk } from '../../support/sound-value.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { liveApi, type LiveApi } from './live-api.js';
import { conditions, configObject, node, openShiftKinds, pool, statusPatch } from './objects.js';

/** The clock runs 120 times faster: a minute takes half a second, and a poll interval of five seconds 40 ms. */
const haste = 120;

const hastyClock: Clock = {
  nowMs: () => performance.now() * haste,
  present: () => new Date(),
  sleep: async (durationMs) => {
    await pause(durationMs / haste);
  },
};

interface Watched {
  readonly outcome: Promise<WaitResult>;
  /** Waits until a line of the log contains the text. */
  readonly says: (text: string) => Promise<void>;
}

/** Starts a wait with a default timeout of three hours on the accelerated clock. */
async function watch(goal: Goal, text: string, timeoutMs = 3 * 60 * 60_000): Promise<Watched> {
  const stop = new AbortController().signal;
  const reader = expectOk(await connect({ path: 'auth/kubeconfig', text, stop, present: () => new Date() }));
  const lines: string[] = [];
  const screen = { write: (line: string) => void lines.push(line.trimEnd()), columns: 80 };
  const { onMoment } = waitProgress('lines', screen);
  const outcome = waitFor(goal, { reader, clock: hastyClock, timeoutMs, stop, onMoment });
  const says = async (wanted: string): Promise<void> => {
    await waitUntil(
      `"${wanted}"`,
      () => {
        if (lines.some((line) => line.includes(wanted))) return Promise.resolve(true);
        throw new Error(lines.join('\n'));
      },
      { tries: 600, pauseMs: 50 },
    );
  };
  return { outcome, says };
}

describeWith(['go', 'kubectl'], 'the real kube-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-api-'));
  let api: LiveApi;
  beforeAll(async () => {
    api = await liveApi(folder);
  }, buildTimeoutMs);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const set = (resource: string, name: string, status: object): Promise<string> =>
    api.kubectl(statusPatch(resource, name, status));

  it('is waited for, vanishes for the reboot, comes back, and the bootstrap is complete', async () => {
    const { outcome, says } = await watch(bootstrapComplete, api.kubeconfig());
    await says('does not answer: connection refused; expected until the control plane is up');
    await api.start();
    await says('the API answers, but the bootstrap is not complete');
    await api.stop();
    await says('expected while the node reboots');
    await api.start();
    await says('the API is back after');
    await api.kubectl([
      'create',
      'configmap',
      'bootstrap',
      '--namespace=kube-system',
      '--from-literal=status=begun',
    ]);
    await says('the bootstrap status is "begun", not "complete"');
    const patch = '--patch={"data":{"status":"complete"}}';
    await api.kubectl(['patch', 'configmap', 'bootstrap', '--namespace=kube-system', patch]);

    expect(await outcome).toMatchObject({ kind: 'reached', facts: {}, warnings: [] });
  });

  it('recognizes a cluster without OpenShift kinds once a node exists', async () => {
    const { outcome, says } = await watch(installComplete, api.kubeconfig());
    await says('the API answers, but ClusterVersion does not exist yet');
    await api.kubectl(['create', '--filename=-'], node);

    expect(await outcome).toMatchObject({
      kind: 'failed',
      problems: [{ code: 'cluster/no-cluster-version' }],
    });
  });

  it('reports when the node is Ready', async () => {
    const { outcome, says } = await watch(nodeReady, api.kubeconfig());
    await says('the node is not Ready (no reason given)');
    await set('node', 'sno1', conditions({ Ready: ['False', 'container runtime network not ready'] }));
    await says('the node is not Ready (container runtime network not ready)');
    await set('node', 'sno1', conditions({ Ready: ['True', 'kubelet is posting ready status'] }));

    expect(await outcome).toMatchObject({ kind: 'reached', facts: { nodes: ['sno1'] } });
  });

  it('is one of two sites of a fleet; the other trusts another authority', () => {
    const fleet = fleetFolder();
    const texts = [api.kubeconfig(), api.kubeconfig({ caPem: api.clientAuthority.certPem })];
    for (const [index, text] of texts.entries()) {
      const auth = join(fleet, `out/north-${index + 1}/auth`);
      mkdirSync(auth, { recursive: true });
      writeFileSync(join(auth, 'kubeconfig'), text, { mode: 0o600 });
    }
    const wait = ['fleet', 'wait-for', 'node-ready', '--dir', fleet, '--output', 'json'];
    const { code, stdout } = sno(wait);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'not-reached',
      problems: [{ code: 'cluster/wrong-authority', sites: ['north-2'] }],
      sites: [
        { name: 'north-1', state: 'reached', nodes: ['sno1'] },
        { name: 'north-2', state: 'not-reached' },
      ],
    });
    expect(sno([...wait, '--only', 'north-1']).code).toBe(0);
  });

  it('shows the progress of the version operator until the installation is complete', async () => {
    await api.kubectl(['create', '--filename=-'], openShiftKinds);
    await api.kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all']);
    // The node of the previous test exists, so a kind that is not served would end the wait.
    const { outcome, says } = await watch(installComplete, api.kubeconfig());
    await says('the API answers, but ClusterVersion does not exist yet');
    await api.kubectl(['create', '--filename=-'], configObject('ClusterVersion', 'version'));
    await says('no status message');
    const working = 'Working towards 4.18.3: 120 of 900 done (13% complete)';
    await set('clusterversion', 'version', conditions({ Progressing: ['True', working] }));
    await says(`cluster version operator: ${working}`);
    await api.stop();
    await says('expected while it or the node restarts');
    await api.start();
    await says('the API is back after');
    await api.kubectl(['create', '--filename=-'], configObject('ClusterOperator', 'insights'));
    await api.kubectl(['create', '--filename=-'], configObject('Console', 'cluster'));
    await set('console', 'cluster', { consoleURL: 'https://console.apps.site1.example.com' });
    await set('clusterversion', 'version', {
      desired: { version: '4.18.3' },
      ...conditions({ Available: ['True'], Progressing: ['False'], Failing: ['False'] }),
    });
    await says('operator insights is not Available, and is Progressing');
    const well = { Available: ['True'], Degraded: ['False'], Progressing: ['False'] } as const;
    await set('clusteroperator', 'insights', conditions(well));
    await says('no machine config pools exist yet');
    await api.kubectl(['create', '--filename=-'], pool);
    await says('the machine config pool master is not Updated');
    await set('machineconfigpool', 'master', conditions({ Updated: ['True'], Degraded: ['False'] }));
    await says('node sno1 has no machine config yet');
    const daemon = 'machineconfiguration.openshift.io';
    const annotate = (...said: readonly string[]): Promise<unknown> =>
      api.kubectl(['annotate', '--overwrite', 'node', 'sno1', ...said.map((each) => `${daemon}/${each}`)]);
    await annotate('currentConfig=rendered-1', 'desiredConfig=rendered-2', 'state=Done');
    await says('node sno1 will reboot into another machine config');
    await annotate('currentConfig=rendered-2');

    expect(await outcome).toMatchObject({
      kind: 'reached',
      facts: { version: '4.18.3', consoleUrl: 'https://console.apps.site1.example.com' },
      warnings: [],
    });
  });

  it('names the operators that are not well when time runs out', async () => {
    const ill = { Available: ['True'], Degraded: ['True', 'no upload'] } as const;
    await set('clusteroperator', 'insights', conditions(ill));
    await set(
      'clusterversion',
      'version',
      conditions({ Available: ['False'], Progressing: ['True', 'at work'] }),
    );
    const { outcome } = await watch(installComplete, api.kubeconfig(), 60_000);
    const result = await outcome;

    expect(result.kind === 'failed' && result.problems.map(({ message }) => message)).toEqual([
      'timed out: cluster version operator: at work',
      'operator insights is Degraded: no upload',
    ]);
  });

  describe('refuses', () => {
    const codeOf = async (text: string): Promise<string | undefined> => {
      const result = await (await watch(installComplete, text)).outcome;
      return result.kind === 'failed' ? result.problems[0]?.code : result.kind;
    };

    it('another authority, immediately', async () => {
      expect(await codeOf(api.kubeconfig({ caPem: api.clientAuthority.certPem }))).toBe(
        'cluster/wrong-authority',
      );
    });

    it('a name that is not in the certificate, immediately', async () => {
      expect(await codeOf(api.kubeconfig({ cluster: {} }))).toBe('cluster/wrong-name');
    });

    it('an expired client certificate, immediately', async () => {
      const client = await api.clientAuthority.issue({
        commonName: 'system:admin',
        organization: 'system:masters',
        days: [-3, -1],
      });
      expect(await codeOf(api.kubeconfig({ client }))).toBe('cluster/credentials-expired');
    });

    it('an unknown token, after some retries', async () => {
      const text = api.kubeconfig({ user: { token: 'sha256~unknown' }, client: undefined });
      expect(await codeOf(text)).toBe('cluster/unauthorized');
    });

    it('a user without rights, after a while', async () => {
      const client = await api.clientAuthority.issue({ commonName: 'nobody' });
      expect(await codeOf(api.kubeconfig({ client }))).toBe('cluster/forbidden');
    });
  });
});
