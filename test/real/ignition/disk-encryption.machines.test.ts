import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { fieldAt } from '../../../src/kube/fields.js';
import { validateWithIgnition, describeWithIgnition } from '../../support/real-ignition.js';
import { allManifests } from '../../assets/manifests/generate.js';
import { describeWithButane } from '../enrich/real-butane.js';

const key = 'o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY';
const server = (name: string): string => `{url: "http://${name}.example.com:7500", thumbprint: ${key}}`;

/** `luks` is a text of both formats: their fields have the same names. */
const cases = [
  { name: 'a TPM', luks: '{tpm2: true}', fips: false, kernelArguments: [] },
  { name: 'a TPM with FIPS', luks: '{tpm2: true}', fips: true, kernelArguments: [] },
  { name: 'a Tang server', luks: `{tang: [${server('a')}]}`, fips: false, kernelArguments: ['rd.neednet=1'] },
  {
    name: 'two of three, with FIPS',
    luks: `{tpm2: true, tang: [${server('a')}, ${server('b')}], threshold: 2}`,
    fips: true,
    kernelArguments: ['rd.neednet=1'],
  },
] as const;

/** FIPS mode has its own MachineConfig here. */
async function oursOf({ luks, fips }: (typeof cases)[number]): Promise<unknown> {
  const manifests = await allManifests({ install: `fips: ${fips}\n`, sno: `diskEncryption: ${luks}\n` });
  return manifests.find(({ object }) => object.metadata.name === '99-master-disk-encryption')?.object;
}

describeWithButane('diskEncryption and boot_device.luks of Butane', (butane) => {
  it.each(cases)('agree on $name', async (given) => {
    const text = `variant: openshift
version: 4.14.0
metadata: {name: 99-master-disk-encryption, labels: {machineconfiguration.openshift.io/role: master}}
boot_device: {luks: ${given.luks}}
openshift: {fips: ${given.fips}, kernel_arguments: [${given.kernelArguments.join(', ')}]}
`;
    const { status, stdout, stderr } = spawnSync(butane(), ['--strict'], { input: text, encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    const theirs: unknown = parse(
      stdout.replace('version: 3.4.0', 'version: 3.2.0').replace(/ {2}fips: .*\n/, ''),
    );
    expect(await oursOf(given)).toEqual(theirs);
  });
});

describeWithIgnition('the Ignition config of diskEncryption', () => {
  it.each(cases)('is valid with $name', async (given) => {
    const ours = await oursOf(given);
    const config = fieldAt(ours, ['spec', 'config']);
    expect(fieldAt(config, ['storage', 'luks'])).toHaveLength(1);
    expect(validateWithIgnition(JSON.stringify(config))).toBe('');
  });
});
