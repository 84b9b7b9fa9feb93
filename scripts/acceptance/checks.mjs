// Checks of a finished cluster: each returns its findings as sentences, none for a healthy cluster.
import { lookup } from 'node:dns/promises';

/** @returns {{ version: string | undefined, findings: string[] }} */
export function clusterVersionCheck(object) {
  const version = object?.status?.desired?.version;
  const [newest] = object?.status?.history ?? [];
  return {
    version,
    findings: [
      ...(version === undefined ? ['ClusterVersion has no desired version'] : []),
      ...(newest?.state === 'Completed'
        ? []
        : [`ClusterVersion: the newest entry of the history is ${newest?.state ?? 'missing'}`]),
      ...wrongConditions('ClusterVersion', object, { Available: 'True', Progressing: 'False' }),
      ...wrongConditions('ClusterVersion', object, { Failing: 'False' }, { isOptional: true }),
    ],
  };
}

export function operatorFindings({ items = [] }) {
  if (items.length === 0) return ['there are no ClusterOperators'];
  const wanted = { Available: 'True', Progressing: 'False', Degraded: 'False' };
  return items.flatMap((object) => wrongConditions(`operator ${nameOf(object)}`, object, wanted));
}

export function poolFindings({ items = [] }) {
  const wanted = { Updated: 'True', Degraded: 'False' };
  return items.flatMap((object) => wrongConditions(`MachineConfigPool ${nameOf(object)}`, object, wanted));
}

export function nodeFindings({ items = [] }, expected) {
  const none = { MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False' };
  return [
    ...(items.length === expected ? [] : [`there are ${items.length} nodes, expected ${expected}`]),
    ...items.flatMap((object) => [
      ...wrongConditions(`node ${nameOf(object)}`, object, { Ready: 'True' }),
      ...wrongConditions(`node ${nameOf(object)}`, object, none, { isOptional: true }),
    ]),
  ];
}

export function podFindings({ items = [] }) {
  if (items.length === 0) return ['there are no pods'];
  return items.flatMap((pod) => {
    const name = `pod ${pod.metadata?.namespace ?? '?'}/${nameOf(pod)}`;
    const { phase = 'unknown', containerStatuses = [] } = pod.status ?? {};
    if (phase === 'Succeeded') return [];
    if (phase !== 'Running') return [`${name} is ${phase}`];
    return containerStatuses
      .filter(({ ready }) => ready !== true)
      .map(({ name: container, state }) => `${name}: container ${container} is not ready${reasonOf(state)}`);
  });
}

export function requestFindings({ items = [] }) {
  return items
    .filter((request) => (request.status?.conditions ?? []).length === 0)
    .map((request) => `CertificateSigningRequest ${nameOf(request)} is pending`);
}

/** The operators write the end of each certificate to this annotation. Source: openshift/library-go certrotation */
const endAnnotation = 'auth.openshift.io/certificate-not-after';

/** @returns {{ certificates: number, firstExpiry: string | undefined, findings: string[] }} */
export function certificateCheck({ items = [] }, present) {
  const dated = items.flatMap((secret) => {
    const end = secret.metadata?.annotations?.[endAnnotation];
    return end === undefined ? [] : [{ name: `${secret.metadata.namespace}/${nameOf(secret)}`, end }];
  });
  const faults = dated.flatMap(({ name, end }) => {
    const time = Date.parse(end);
    if (Number.isNaN(time)) return [`the certificate in Secret ${name} has the end "${end}"`];
    return time > present.getTime() ? [] : [`the certificate in Secret ${name} expired at ${end}`];
  });
  const ends = dated.map(({ end }) => end).filter((end) => !Number.isNaN(Date.parse(end)));
  return {
    certificates: dated.length,
    firstExpiry: ends.toSorted((left, right) => Date.parse(left) - Date.parse(right))[0],
    findings: dated.length === 0 ? ['no Secret names the end of its certificate'] : faults,
  };
}

/** A finding if this host does not resolve the server of a kubeconfig to an address of the machine. */
export async function nameFindings(kubeconfig, addresses) {
  const url = new URL(/^ *(?:- )?server: *["']?([^\s"']+)/m.exec(kubeconfig)?.[1] ?? 'https://missing');
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const isRight = addresses.length === 0 || found.some(({ address }) => addresses.includes(address));
  if (found.length > 0 && isRight) return [];
  const fault = found.length === 0 ? 'does not resolve' : `resolves to ${found[0].address}`;
  return [
    `${hostname} ${fault} on this host: add "${addresses[0] ?? 'ADDRESS'} ${hostname}" to /etc/hosts, then use --resume`,
  ];
}

function wrongConditions(subject, object, wanted, { isOptional = false } = {}) {
  const conditions = object?.status?.conditions ?? [];
  return Object.entries(wanted).flatMap(([type, status]) => {
    const found = conditions.find((each) => each.type === type);
    if (found === undefined) return isOptional ? [] : [`${subject} has no condition ${type}`];
    if (found.status === status) return [];
    const message = found.message ? `: ${found.message}` : '';
    return [`${subject}: ${type} is ${found.status}${message}`];
  });
}

function reasonOf(state = {}) {
  const { reason, message } = state.waiting ?? state.terminated ?? {};
  return reason === undefined ? '' : ` (${reason}${message ? `: ${message}` : ''})`;
}

function nameOf(object) {
  return object.metadata?.name ?? '?';
}
