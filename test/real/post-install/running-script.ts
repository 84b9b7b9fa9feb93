import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';

import { pathOfProgram } from '../../support/programs.js';
import { emptyMachine, machineEnvironment, type Machine } from '../../shell/disk/machine.js';
import { home, layNodeFiles, script, type ListedObject } from '../../shell/post-install/post-install-node.js';
import type { LiveApi } from '../cluster/live-api.js';
import { waitUntil } from '../control-plane/support/wait-until.js';

/** An object of the API with its wave. */
export interface WaveObject {
  readonly wave: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** Not part of the object: `NAMESPACE/NAME` of the Subscriptions that bring the kind. */
  readonly subscriptions?: string;
}

/** A run of the real script. */
export interface RunningScript {
  /** All output until now. */
  readonly log: () => string;
  /** Waits until the output contains the text. */
  readonly says: (text: string) => Promise<void>;
  /** Kills the script and its programs, as a power failure does. */
  readonly kill: () => Promise<void>;
  /** The exit code. */
  readonly exited: Promise<number | null>;
}

/** A node with post-install manifests that runs the real script against the real API server. */
export interface ScriptNode extends Machine {
  readonly start: () => RunningScript;
}

/** Limits of a wave and of an object, in seconds instead of 60 and 10 minutes. */
export interface Limits {
  readonly wave: number;
  readonly refusal: number;
}

export function scriptNode(api: LiveApi, objects: readonly WaveObject[], limits: Limits): ScriptNode {
  return machineNode(api, limits, (machine) => {
    layNodeFiles(machine, objects.map(listed));
  });
}

/** A node with the files that `lay` writes. kubectl has the commands and flags of oc that the script uses. */
export function machineNode(api: LiveApi, limits: Limits, lay: (machine: Machine) => void): ScriptNode {
  const machine = emptyMachine();
  lay(machine);
  machine.write(`${home}/settings.env`, `SNO_POST_INSTALL_TIMEOUT=${limits.wave}\n`);
  machine.write(
    'etc/kubernetes/static-pod-resources/kube-apiserver-certs/secrets/node-kubeconfigs/localhost.kubeconfig',
    api.kubeconfig(),
  );
  const programs = join(machine.stub, 'programs');
  mkdirSync(programs);
  for (const [name, real] of [
    ['oc', 'kubectl'],
    ['sleep', 'sleep'],
    ['date', 'date'],
  ] as const)
    symlinkSync(pathOfProgram(real) ?? real, join(programs, name));
  const env = {
    ...machineEnvironment(machine.root, machine.stub, programs, join(dirname(machine.stub), 'programs')),
    SNO_UPTIME_FILE: '/proc/uptime',
    SNO_POST_INSTALL_REFUSAL_LIMIT: String(limits.refusal),
    SNO_POST_INSTALL_INTERVAL: '0.5',
    SNO_POST_INSTALL_REPORT_INTERVAL: '1',
  };
  return { ...machine, start: () => startScript(join(machine.root, 'usr/local/bin', script), env) };
}

function listed({ wave, subscriptions = '-', ...object }: WaveObject): ListedObject {
  const { apiVersion, kind, metadata } = object;
  return { wave, apiVersion, kind, ...metadata, subscriptions, text: `${JSON.stringify(object)}\n` };
}

function startScript(path: string, env: Readonly<Record<string, string>>): RunningScript {
  const running = spawn('bash', [path], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const exited = once(running, 'close').then(() => running.exitCode);
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    // The script's process group.
    process.kill(-(running.pid ?? 0), 'SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return {
    log: () => text,
    says: async (wanted) => {
      await waitUntil(
        `"${wanted}"`,
        () => {
          if (text.includes(wanted)) return Promise.resolve(true);
          throw new Error(text);
        },
        { tries: 600, pauseMs: 100 },
      );
    },
    kill,
    exited,
  };
}
