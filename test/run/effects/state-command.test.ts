import { expect, it, vi } from 'vitest';

import { outputOfCommand } from '../../../src/run/effects/state-command.js';

const option = '--state-command';

it('is stopped after its timeout, even if a child process keeps its output open', async () => {
  const result = await outputOfCommand(`sh -c 'echo half; sleep 2 & sleep 2'`, { option, limitMs: 300 });

  expect(result).toEqual({
    ok: false,
    problems: [
      {
        code: 'state/command',
        severity: 'error',
        message: 'the command of --state-command was stopped after 0.3 seconds',
      },
    ],
  });
});

it('gives the bytes that are printed, however many parts they come in', async () => {
  const printed = await outputOfCommand(`sh -c 'printf a; sleep 0.1; head -c 300000 /dev/zero'`, { option });

  expect(printed.ok && printed.value.length).toBe(300_001);
});

it('gets no private key and no pull secret of the environment, but credentials that sops may need', async () => {
  vi.stubEnv('AUTHORITY_KEY', '-----BEGIN EC PRIVATE KEY-----\nMHc\n');
  vi.stubEnv('PULL_SECRET', '{"auths":{}}');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'for sops');

  const printed = await outputOfCommand(`sh -c 'echo "$AUTHORITY_KEY|$PULL_SECRET|$AWS_SECRET_ACCESS_KEY"'`, {
    option,
  });

  vi.unstubAllEnvs();
  expect(printed.ok && Buffer.from(printed.value).toString()).toBe('||for sops\n');
});

it('may repeat a secret on stderr, which the message masks', async () => {
  vi.stubEnv('VAULT_TOKEN', 'hvs.of-the-vault');
  const script = 'echo "$VAULT_TOKEN of-the-file of-the-words of-the-option stay" >&2; exit 3';

  const result = await outputOfCommand(
    `sh -c '${script}' --passphrase of-the-words --password=of-the-option`,
    {
      option,
      secrets: () => ['of-the-file'],
    },
  );

  vi.unstubAllEnvs();
  expect(result).toMatchObject({
    problems: [
      {
        message:
          'the command of --state-command ended with 3: [redacted] [redacted] [redacted] [redacted] stay',
      },
    ],
  });
});
