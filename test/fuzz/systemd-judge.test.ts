import { expect, it } from 'vitest';

import { describeWith } from '../support/programs.js';
import { systemdRefusals } from './driver/systemd-judge.js';

interface Unit {
  readonly name: string;
  readonly contents?: string;
  readonly dropins?: readonly { readonly name: string; readonly contents: string }[];
}

function configWith(...units: readonly Unit[]): string {
  return JSON.stringify({ ignition: { version: '3.2.0' }, systemd: { units } });
}

const sound = '[Unit]\nAfter=network-online.target\n[Service]\nExecStart=/usr/local/bin/a --flag\n';

describeWith(['systemd-analyze'], 'systemd as a judge', () => {
  it('accepts valid configs one by one', () => {
    const dropin = { name: '10-a.conf', contents: '[Service]\nEnvironment="A=b c"\n' };
    const configs = [
      configWith(),
      configWith({ name: 'a.service', contents: sound }),
      configWith({ name: 'kubelet.service', dropins: [dropin] }, { name: 'other.socket' }),
    ];
    expect(systemdRefusals(configs)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['a line of no section', { name: 'a.service', contents: `x\n${sound}` }],
    ['an unknown key', { name: 'a.service', contents: `${sound}Exec=1\n` }],
    ['a value that is none', { name: 'a.service', contents: '[Service]\nType=soon\nExecStart=/bin/a\n' }],
    [
      'a broken drop-in',
      {
        name: 'a.service',
        contents: sound,
        dropins: [{ name: '1.conf', contents: '[Service]\nLimitNOFILE=x\n' }],
      },
    ],
  ])('refuses %s', (_title, unit) => {
    const [refusal, ...others] = systemdRefusals([configWith(unit), configWith()]);
    expect(refusal).toContain('a.service');
    expect(others).toEqual([undefined]);
  });
});
