import { expect, it } from 'vitest';

import { outputOfCommand } from '../../src/effects/state-command.js';

const option = '--state-command';

it('is ended when its time is over, also where something that it started holds on to its output', async () => {
  const ended = await outputOfCommand(`sh -c 'echo half; sleep 2 & sleep 2'`, { option, limitMs: 300 });

  expect(ended).toEqual({
    ok: false,
    problems: [
      {
        code: 'state/command',
        severity: 'error',
        message: 'the command of --state-command was ended after 0.3 seconds',
      },
    ],
  });
});

it('gives the bytes that are printed, however many parts they come in', async () => {
  const printed = await outputOfCommand(`sh -c 'printf a; sleep 0.1; head -c 300000 /dev/zero'`, { option });

  expect(printed.ok && printed.value.length).toBe(300_001);
});
