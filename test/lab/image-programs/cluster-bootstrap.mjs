// A stub of `cluster-bootstrap start`: starts the static pods, creates every manifest, then stops the static pods.
// The real program is in no public Go module proxy. Source of its behavior and waits: openshift/cluster-bootstrap
// pkg/start (start.go, bootstrap.go, asset.go).
import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

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
  const unloadable = unloadableManifests();
  if (unloadable.length > 0) {
    // Like the real program: the error is printed, nothing is created, and the exit status is 0.
    console.log(`Assert creation failed: failed to load some manifests:\n${unloadable.join('\n')}`);
  } else if (!within(seconds(given['assets-create-timeout'] ?? '60m'), createAll))
    throw new Error('timed out creating manifests');
  else for (const path of manifestPaths()) console.error(`Created ${JSON.stringify(path)}`);
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

/** Every file is loaded, whatever its name. Source: openshift/library-go, pkg/assets/assets.go */
function manifestPaths() {
  return readdirSync(join(assets, 'manifests'), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(join(assets, 'manifests'), join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Lines on files that the real program cannot load: no kind, or a top-level `items`, which makes any object a list. The laboratory can
 * request such a failure. Source: k8s.io/apimachinery, pkg/apis/meta/v1/unstructured/helpers.go; openshift/library-go, pkg/assets/create
 */
function unloadableManifests() {
  if (perhapsFail('load-manifests'))
    return ['"99_any.yaml": unable to convert asset "99_any.yaml" to unstructured'];
  return manifestPaths().flatMap((path) => {
    const text = readFileSync(join(assets, 'manifests', path), 'utf8');
    const fields = topLevelFields(text);
    if (!fields.includes('kind'))
      return [`"${path}": unable to decode asset "${path}": Object 'Kind' is missing`];
    return fields.includes('items') ? [`"${path}": unable to convert asset "${path}" to unstructured`] : [];
  });
}

function topLevelFields(text) {
  if (text.trimStart().startsWith('{')) return Object.keys(JSON.parse(text));
  return [...text.matchAll(/^(\w+):/gm)].map(([, field]) => field);
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
