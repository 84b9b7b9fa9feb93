import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { cli, printedBy, scratch } from './measuring.mjs';
import { firstSaidBy, freePort, stopped } from './programs.mjs';

/** Clock ticks per second, the unit of CPU time in /proc. */
const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);

/** Starts `serve` for sites, over TLS unless `isPlain`; the result includes the startup time. */
export async function served({ iso, out, isPlain, limits: own = [] }) {
  const port = await freePort();
  const plain = isPlain ? ['--http'] : [];
  const url = urlAt(port, isPlain);
  const where = [
    ...plain,
    '--url',
    url,
    '--tokens',
    join(mkdtempSync(join(scratch, 'tokens-')), 'tokens.json'),
    out,
  ];
  // This command creates the token file.
  const printed = JSON.parse(printedBy([cli, 'serve', '--print-urls', '--output', 'json', ...where]));
  const limits = ['--max-requests-per-second', '100000', '--log-level', 'error', ...own];
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--output', 'json', '--iso', iso, '--listen', `127.0.0.1:${port}`, ...limits, ...where],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await firstSaidBy(child, 'serve');
  const startMs = performance.now() - start;
  if (printed.authority) writeFileSync(join(scratch, 'ca.pem'), printed.authority.pem);
  return { ...running(child, child.pid), startMs, urls: printed.sites.map((site) => site.iso) };
}

/** nginx serving files with one worker, since `serve` is one process; over TLS with the same type of key, unless `isPlain`. */
export async function nginxOver(root, { isPlain }) {
  const port = await freePort();
  const dir = mkdtempSync(join(scratch, 'nginx-'));
  mkdirSync(join(dir, 'temp'));
  if (!isPlain) certified(dir);
  const tls = isPlain ? '' : `ssl_certificate ${dir}/tls.crt; ssl_certificate_key ${dir}/tls.key;`;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/temp;`,
  );
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
user root;
events {}
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${temp.join(' ')}
server { listen 127.0.0.1:${port}${isPlain ? '' : ' ssl'}; ${tls} root ${root}; } }
`,
  );
  const child = spawn('nginx', ['-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')], {
    stdio: 'inherit',
  });
  const url = `${urlAt(port, isPlain)}/medium.iso`;
  while (spawnSync('curl', ['--silent', '--insecure', '--head', '--retry-connrefused', url]).status !== 0) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(dir, 'error.log'), 'utf8'));
  }
  const [worker] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  return { ...running(child, worker), urls: [url] };
}

function urlAt(port, isPlain) {
  return `${isPlain ? 'http' : 'https'}://127.0.0.1:${port}`;
}

function certified(dir) {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'tls.key', '-out', 'tls.crt', '-days', '1'];
  const name = ['-subj', '/CN=boot', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...key, ...name], { cwd: dir });
  if (status !== 0) throw new Error(stderr.toString());
}

function running(child, pid) {
  return {
    /** CPU time of the serving process, in ms. */
    cpuMs: () => {
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
      const [user, system] = fields.split(' ').slice(11, 13).map(Number);
      return ((user + system) / ticks) * 1000;
    },
    residentMegabytes: () => {
      const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return (Number(kibibytes) * 1024) / 10 ** 6;
    },
    stop: () => stopped(child),
  };
}
