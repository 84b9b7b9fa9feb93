// Reads the objects of a cluster with the kubeconfig of a site.
import { readFileSync } from 'node:fs';

import { realClock } from '../../.cache/modules/cli/real-clock.js';
import { connect } from '../../.cache/modules/remote/kubernetes/kubernetes-client.js';
import {
  certificateCheck,
  clusterVersionCheck,
  nodeFindings,
  operatorFindings,
  podFindings,
  poolFindings,
  requestFindings,
} from './checks.mjs';

const config = '/apis/config.openshift.io/v1';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** A client for the cluster: `read(path)` returns an object, `change(path, merge)` patches one. Both reject with the cause. */
export async function clusterOf(kubeconfig, signal) {
  const connection = {
    path: kubeconfig,
    text: readFileSync(kubeconfig, 'utf8'),
    stop: signal,
    present: realClock.present,
  };
  const client = await connect(connection);
  if (!client.ok) throw new Error(client.problems.map(({ message }) => message).join('; '));
  const send = async (request) => {
    const answer = await client.value.send(request);
    if (answer.kind === 'fault')
      throw new Error(`${request.path}: ${answer.fault.detail ?? answer.fault.kind}`);
    if (answer.status >= 300) throw new Error(`${request.path}: the API answered ${answer.status}`);
    return answer.body;
  };
  return { read: (path) => send({ path }), change: (path, merge) => send({ path, merge }) };
}

/** All checks of a finished cluster. */
export async function checkCluster({ read }, { expectedNodes, present }) {
  const version = clusterVersionCheck(await read(`${config}/clusterversions/version`));
  const operators = await read(`${config}/clusteroperators`);
  const pods = await read('/api/v1/pods');
  const secrets = await read('/api/v1/secrets');
  const certificates = certificateCheck(secrets, present);
  return {
    findings: [
      ...version.findings,
      ...operatorFindings(operators),
      ...poolFindings(await read('/apis/machineconfiguration.openshift.io/v1/machineconfigpools')),
      ...nodeFindings(await read('/api/v1/nodes'), expectedNodes),
      ...podFindings(pods),
      ...certificates.findings,
      ...requestFindings(await read(requests)),
    ],
    facts: {
      'cluster version': version.version ?? 'unknown',
      operators: String(operators.items?.length ?? 0),
      pods: String(pods.items?.length ?? 0),
      certificates: String(certificates.certificates),
      'first expiry': certificates.firstExpiry ?? 'unknown',
    },
  };
}

/** The boot ID of each node, which the kernel generates at each boot. */
export async function bootIds({ read }) {
  const { items = [] } = await read('/api/v1/nodes');
  return items.map(({ status }) => status?.nodeInfo?.bootID ?? '').toSorted();
}

/** Polls until a condition holds. Errors are those of an API that restarts. Ends with the last error when the signal aborts. */
export async function until(condition, signal, pauseMs = 10_000) {
  let last = 'the condition does not hold';
  while (!signal.aborted) {
    try {
      if (await condition()) return;
    } catch (error) {
      last = error.message;
    }
    await realClock.sleep(pauseMs, signal);
  }
  throw new Error(last);
}

/** Approves the pending requests of the kubelet of a worker: that of its client certificate, and that of its serving certificate. */
export async function approveRequests({ read, change }, worker) {
  const { items = [] } = await read(requests);
  const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
  // The name of a node may end in the domain of the cluster.
  const isOfWorker = (user = '') => user === bootstrapper || `${user}.`.startsWith(`system:node:${worker}.`);
  const pending = items.filter(
    ({ spec, status }) => (status?.conditions ?? []).length === 0 && isOfWorker(spec?.username),
  );
  const conditions = [
    { type: 'Approved', status: 'True', reason: 'Acceptance', message: 'a worker of the test' },
  ];
  for (const { metadata } of pending)
    await change(`${requests}/${encodeURIComponent(metadata.name)}/approval`, { status: { conditions } });
}
