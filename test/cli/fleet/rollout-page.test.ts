import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { apiCertificates } from '../../remote/kubernetes/throwaway-tls.js';
import { fakeBmc } from '../../remote/redfish/fake-bmc.js';
import { ageKeys } from '../../support/age-keys.js';
import { bmcLogins } from '../../support/bmc-logins.js';
import { snoInProcess } from '../../support/in-process.js';
import { completeApi } from './complete-api.js';

const page = readFileSync('docs/fleet-rollout.md', 'utf8');
const [, plan = ''] = /```yaml\n# rollout\.yaml\n([^]*?)```/.exec(page) ?? [];

/** Output that the page shows for a command. */
function shownFor(command: string): string {
  const [, text = ''] =
    new RegExp(`\\\`\\\`\\\`console\\n\\$ ${command}[^\\n]*\\n([^]*?)\\\`\\\`\\\``).exec(page) ?? [];
  return text;
}

/** The fleet of the page, with its plan; the BMC of north-2 has no virtual media. */
async function pageFleet(changes: (text: string) => string): Promise<string> {
  const kubeconfig = await completeApi(await apiCertificates());
  const names = ['lab-1', 'north-1', 'north-2', 'north-3', 'south-1'];
  const bmcs = await Promise.all(names.map((name) => fakeBmc(name === 'north-2' ? { mediaTypes: [] } : {})));
  const rows = names.map((name, index) =>
    [
      name,
      `192.168.126.1${index}`,
      name === 'lab-1' ? 'canary' : 'edge',
      name.split('-')[0] ?? '',
      bmcs[index]?.origin ?? '',
    ].join(','),
  );
  return fleetFolder({
    'fleet.yaml': fleetText('boot: {address: "${bmc}", credentials: bmc.yaml.age, plainHttp: true}\n'),
    'sites.csv': `name,ip,role,region,bmc\n${rows.join('\n')}\n`,
    'key.txt': ageKeys.ours.identity,
    'bmc.yaml.age': await bmcLogins(),
    'rollout.yaml': changes(plan),
    ...Object.fromEntries(names.map((name) => [`out/${name}/auth/kubeconfig`, kubeconfig])),
  });
}

test('the page shows the waves of its plan', async () => {
  const { code, stdout } = await snoInProcess([
    'fleet',
    'rollout',
    await pageFleet((text) => text),
    '--dry-run',
  ]);
  expect(code).toBe(0);
  const untimed = (text: string): string =>
    text.replace(/^window: .*$/m, 'window: …').replaceAll(/ +$/gm, '');
  expect(untimed(stdout)).toBe(untimed(shownFor('sno-install fleet rollout fleet --dry-run')));
});

test('the page shows a rollout that stops', async () => {
  const dir = await pageFleet((text) =>
    text.replace('install-complete', 'bootstrap-complete').replaceAll(/^(pause|windows| {2}- \{).*\n/gm, ''),
  );
  const media = [
    '--media-url',
    'https://boot.example.com/{site}/live.iso',
    '--identity',
    join(dir, 'key.txt'),
  ];
  const { code, stdout, stderr } = await snoInProcess(['fleet', 'rollout', dir, ...media, '--jobs', '1']);
  expect(code).toBe(1);
  const untimed = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'T');
  expect(untimed(`${stderr}${stdout}`)).toBe(untimed(shownFor('sno-install fleet rollout fleet --media')));
});
