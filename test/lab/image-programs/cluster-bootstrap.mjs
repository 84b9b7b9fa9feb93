// A stub of `cluster-bootstrap start`: starts the static pods, creates every manifest, then stops the static pods.
// The real program is in no public Go module proxy. Source of its behavior and waits: openshift/cluster-bootstrap
// pkg/start (start.go, bootstrap.go, asset.go).
import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { haste, pause, perhapsDie, perhapsFail } from '../stand-ins/lab-state.mjs';

const given = JSON.parse(process.argv[2]);
const assets = given['asset-dir'];
const kubernetes = '/etc/kubernetes';
const secrets = join(kubernetes, 'bootstrap-secrets');
const manifests = given['pod-manifest-path'] ?? join(kubernetes, 'manifests');
const kubectl = ['--kubeconfig', join(assets, 'auth/kubeconfig-loopback')];
const copied = [];
let said = '';
let status = 1;
try {
  status = start();
} catch (error) {
  console.error(`Error: ${error.message}`);
} finally {
  tearDown();
}
process.exit(status);

function start() {
  if (
    !/controlPlane:[\s\S]*?replicas: 1/.test(
      readFileSync(join(assets, 'manifests/cluster-config.yaml'), 'utf8'),
    )
  )
    throw new Error('failed to get install config from cluster configmap');
  if (!given['asset-dir']) throw new Error('missing required flag: --asset-dir');
  startStaticPods();
  perhapsDie('cluster-bootstrap pods');
  if (!within(20 * 60, () => answers())) throw new Error('API server is not ready');
  perhapsDie('cluster-bootstrap api');
  // The API server answers before it has created its own namespaces, and an event is created in one of them.
  if (perhapsFail('kube-system')) throw new Error('namespaces "kube-system" not found');
  if (!within(seconds(given['assets-create-timeout'] ?? '60m'), createAll))
    throw new Error('timed out creating manifests');
  perhapsDie('cluster-bootstrap manifests');
  for (const name of ['bootstrap-success', 'bootstrap-finished']) event(name);
  return 0;
}

function startStaticPods() {
  rmSync(secrets, { recursive: true, force: true });
  cpSync(join(assets, 'tls'), secrets, { recursive: true });
  copyFileSync(join(assets, 'auth/kubeconfig-loopback'), join(secrets, 'kubeconfig'));
  for (const name of readdirSync(join(assets, 'bootstrap-manifests'))) {
    // Like upstream, fails if the static pod already exists.
    copyFileSync(join(assets, 'bootstrap-manifests', name), join(manifests, name), constants.COPYFILE_EXCL);
    copied.push(join(manifests, name));
  }
}

function answers() {
  return run([...kubectl, 'get', '--raw=/readyz', '--request-timeout=5s']).status === 0;
}

/** One pass over all manifests. Returns true when the API server has all of them. */
function createAll() {
  const { stdout, stderr } = run([
    ...kubectl,
    'create',
    '--validate=false',
    '--recursive',
    '-f',
    join(assets, 'manifests'),
  ]);
  process.stdout.write(stdout);
  const failures = stderr
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && !line.includes('(AlreadyExists)') && !/^W\d{4}|^Warning:/.test(line),
    );
  const now = failures.join('\n');
  if (now !== said && now !== '') console.error(now);
  said = now;
  return failures.length === 0;
}

function event(name) {
  const body = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'kube-system' },
    involvedObject: { namespace: 'kube-system' },
    message: 'Required control plane pods have been created',
  };
  run([...kubectl, 'create', '-f', '-'], JSON.stringify(body));
}

function tearDown() {
  for (const path of copied) rmSync(path, { force: true });
  if (existsSync(secrets)) rmSync(secrets, { recursive: true, force: true });
}

/** Polls until the condition is true. The limit is scaled like the waits of the machine's scripts. */
function within(limit, ask) {
  const begun = uptime();
  while (!ask()) {
    if (uptime() - begun > limit) return false;
    pause(1000 / haste());
  }
  return true;
}

function uptime() {
  return Number(readFileSync(process.env['SNO_UPTIME_FILE'] ?? '/proc/uptime', 'utf8').split(' ')[0]);
}

function seconds(duration) {
  return Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1)];
}

function run(args, input) {
  return spawnSync('kubectl', args, { encoding: 'utf8', input });
}
