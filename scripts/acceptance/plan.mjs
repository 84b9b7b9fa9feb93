// The steps of an acceptance, from the validation to the last check.
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { realClock } from '../../.cache/modules/cli/real-clock.js';
import { nameFindings } from './checks.mjs';
import { approveRequests, bootIds, checkCluster, clusterOf, until } from './cluster.mjs';
import { startNode, startWorker, virsh, workerName } from './machine.mjs';
import { outputOf, sno } from './programs.mjs';

const minute = 60_000;

export function planOf(options) {
  const { site, out, kubeconfig, reboot, worker } = options;
  const hasPostInstall = existsSync(join(site, 'post-install'));
  const wait = (goal, minutes) => (signal) =>
    sno(['wait-for', goal, site, '--kubeconfig', kubeconfig, '--timeout', `${minutes}m`], signal);
  const step = (name, title, minutes, run, more = {}) => ({
    name,
    title,
    timeoutMs: minutes * minute,
    run,
    ...more,
  });
  const check = (expectedNodes) => async (signal) =>
    checkCluster(await clusterOf(kubeconfig, signal), { expectedNodes, present: realClock.present() });
  return [
    step('host', 'Check the host', 1, (signal) => checkHost(options, signal)),
    step('validate', 'Validate the config', 5, (signal) => sno(['validate', site], signal)),
    step('live-iso', 'Get the live ISO', 60, (signal) => liveIso(options, signal)),
    step('create', 'Create the ISO', 20, (signal) => createIso(options, signal)),
    step('boot', 'Start the machine', 10, (signal) => boot(options, signal)),
    step('names', 'Resolve the API', 1, names, { isSkipped: options.hasOwnKubeconfig }),
    step('bootstrap', 'Wait for the bootstrap', 125, wait('bootstrap-complete', 120)),
    // Until the installation is complete, the node has the scripts and keys for it.
    step('gather', 'Gather a log bundle', 25, (signal) => gather(options, signal), {
      isCheck: true,
      afterFailure: 'boot',
    }),
    step('install', 'Wait for the cluster', 125, wait('install-complete', 120)),
    step('apply', 'Apply post-install objects', 125, (signal) => apply(options, signal), {
      isSkipped: !hasPostInstall,
    }),
    step('check', 'Check the cluster', 10, check(1), { isCheck: true }),
    step('reboot', 'Reboot the node', 60, (signal) => rebootNode(options, signal), { isSkipped: !reboot }),
    step('check-rebooted', 'Check the cluster after the reboot', 10, check(1), {
      isCheck: true,
      isSkipped: !reboot,
    }),
    step('worker', 'Add a worker', 90, (signal) => addWorker(options, signal), { isSkipped: !worker }),
    step('check-worker', 'Check the cluster with the worker', 10, check(2), {
      isCheck: true,
      isSkipped: !worker,
    }),
  ];

  async function apply(_options, signal) {
    const applied = await sno(['apply', site, '--kubeconfig', kubeconfig], signal);
    return applied.findings.length > 0 ? applied : wait('post-install-complete', 60)(signal);
  }

  async function liveIso({ liveIso: given }, signal) {
    if (given !== undefined) {
      accessSync(given, constants.R_OK);
      return { facts: { 'live ISO': given } };
    }
    const { result, findings } = await sno(['media', 'download', site], signal);
    if (findings.length > 0) return { findings };
    const path = (result.images ?? []).find(({ kind }) => kind === 'iso')?.path;
    if (path === undefined) return { findings: ['"media download" names no ISO: use --live-iso'] };
    writeState({ liveIso: path });
    return { facts: { 'live ISO': path } };
  }

  async function createIso(_options, signal) {
    const args = ['create', 'single-node-iso', site, '--iso', isoPath(), '--out', join(out, 'site.iso')];
    return sno(args, signal);
  }

  async function boot(_options, signal) {
    const machine = await startNode(options, signal);
    writeState({ machine });
    return { facts: { machine: machine.machine, addresses: machine.addresses.join(', ') } };
  }

  async function names() {
    const { addresses = [] } = state().machine ?? {};
    return { findings: await nameFindings(readFileSync(kubeconfig, 'utf8'), addresses) };
  }

  async function gather({ address, sshKey }, signal) {
    const node = address ?? state().machine?.addresses[0];
    if (node === undefined) throw new Error('the address of the node is unknown: use --address');
    const key = sshKey === undefined ? [] : ['--key', sshKey];
    const gathered = await sno(['gather', site, '--bootstrap', node, ...key], signal);
    if (gathered.findings.length > 0) return gathered;
    const bundle = gathered.result.bundle.path;
    const { result } = await sno(['analyze', bundle], signal);
    return { facts: { bundle, analysis: result.verdict ?? 'none' } };
  }

  async function rebootNode(_options, signal) {
    const cluster = await clusterOf(kubeconfig, signal);
    const before = await bootIds(cluster);
    await virsh(['reboot', state().machine.machine, '--mode', 'acpi'], signal);
    const hasRebooted = async () => (await bootIds(cluster)).every((id) => id !== '' && !before.includes(id));
    await until(hasRebooted, signal);
    return wait('install-complete', 45)(signal);
  }

  async function addWorker(_options, signal) {
    const { machine } = state();
    await startWorker({ ...options, liveIso: isoPath() }, machine, signal);
    const cluster = await clusterOf(kubeconfig, signal);
    await until(async () => {
      await approveRequests(cluster, workerName);
      const { items = [] } = await cluster.read('/api/v1/nodes');
      const ready = items.filter(({ status }) =>
        (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True'),
      );
      return ready.length === 2;
    }, signal);
    return {};
  }

  function isoPath() {
    return options.liveIso ?? state().liveIso;
  }

  /** Facts of earlier steps, for a resumed run. */
  function state() {
    const path = join(out, 'state.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  }

  function writeState(more) {
    writeFileSync(join(out, 'state.json'), JSON.stringify({ ...state(), ...more }));
  }
}

/** The programs and folders that later steps need, so that a missing one is found before the download. */
async function checkHost({ images, worker }, signal) {
  const findings = [];
  for (const program of ['virsh', 'qemu-img', ...(worker ? ['coreos-installer'] : [])])
    await outputOf(program, ['--version'], signal).catch((error) => findings.push(error.message));
  try {
    accessSync(images, constants.W_OK);
  } catch (error) {
    findings.push(`${images} is not writable: run as root, or name a folder with --images (${error.code})`);
  }
  if (findings.length === 0) {
    await virsh(['domcapabilities', '--virttype', 'kvm'], signal).catch((error) =>
      findings.push(`libvirt has no KVM: ${error.message}`),
    );
  }
  return { findings };
}
