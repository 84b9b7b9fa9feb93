import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { masterConfig } from '../../shell/disk/machine-files.js';
import { liveMachine } from '../../shell/disk/machine.js';

/** The path /STATUS/NAME selects the answer. The first file of the config contains the Accept header of the request. */
const server = `
import { createServer } from 'node:http';
const config = ${JSON.stringify(masterConfig)};
const bodies = {
  config: JSON.stringify(config),
  html: '<html>not yet</html>',
  empty: '',
  old: JSON.stringify({ ...config, ignition: { version: '2.2.0' } }),
};
const listening = createServer((request, response) => {
  const [, status, name] = request.url.split('/');
  const isVersion3 = request.headers.accept === 'application/vnd.coreos.ignition+json;version=3.2.0';
  if (status === 'cut') {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write(bodies.config.slice(0, 50), () => setTimeout(() => response.destroy(), 50));
    return;
  }
  response.writeHead(Number(status));
  response.end(isVersion3 ? bodies[name] : bodies.old);
}).listen(0, '127.0.0.1', () => console.log(listening.address().port));
`;

async function startServer(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}`;
}

describeWith(['curl', 'jq'], 'the machine-config server, asked by the real curl', () => {
  test('accepts only a config of Ignition 3.2 or older', async () => {
    const address = await startServer();
    const answers = [
      ['200/config', 'taken'],
      ['500/config', 'curl: (22) The requested URL returned error: 500'],
      ['404/html', 'curl: (22) The requested URL returned error: 404'],
      ['200/html', 'the answer is not an Ignition config'],
      ['200/empty', 'the answer is empty'],
      ['200/old', 'the answer is an Ignition config of version 2.2.0, but 3.2.0 was asked for'],
      ['cut/config', 'curl: (18) '],
    ] as const;
    for (const [path, want] of answers) {
      const machine = liveMachine();
      const { stdout } = machine.source(
        'sno-master-ignition.sh',
        'if fetch_once; then echo taken; else echo "${fetch_problem}"; fi',
        { SNO_MASTER_CONFIG_URL: `${address}/${path}`, PATH: '/usr/bin:/bin' },
      );
      expect([path, stdout.trimEnd().slice(0, want.length)]).toEqual([path, want]);
      expect([path, machine.has('opt/openshift/original-master.ign')]).toEqual([path, want === 'taken']);
    }
  });
});
