import type { Command } from 'commander';

import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { Variables } from '../../disk/environment.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { readNamedText } from '../../disk/named-file.js';
import { readNamedBytes } from '../../disk/state/named-bytes.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import { environmentProxy } from '../../remote/http/proxy.js';
import { eventSender, type EventSender } from '../../remote/webhook/event-sender.js';
import { webhookToken, webhookUrl } from '../../remote/webhook/webhook-settings.js';

export interface WebhookOptions {
  readonly webhook?: string;
  readonly webhookTokenFile?: string;
  readonly webhookCa?: string;
}

/** Adds the options of a command that sends events. */
export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook <url>', 'https URL that receives the events as JSON')
    .option('--webhook-token-file <file>', 'file with a bearer token for --webhook, or - for stdin')
    .option('--webhook-ca <file>', 'file with CA certificates for --webhook, in addition to the public ones');
}

/** Returns a sender, which sends nothing without `--webhook`. Problems: webhook/address, usage/proxy, usage/unreadable-file, usage/conflicting-options. */
export function requestedWebhook(options: WebhookOptions, variables: Variables): Result<EventSender> {
  const { webhook, webhookTokenFile, webhookCa } = options;
  if (webhook === undefined) {
    const [alone] = [webhookTokenFile && '--webhook-token-file', webhookCa && '--webhook-ca'].filter(Boolean);
    if (alone !== undefined) return needsUrl(alone);
    return success({ send: () => undefined, close: () => Promise.resolve([]) });
  }
  const url = webhookUrl(webhook);
  const proxy = environmentProxy(variables);
  const token = webhookTokenFile === undefined ? success(undefined) : tokenIn(webhookTokenFile);
  const authorities = webhookCa === undefined ? success('') : authoritiesIn(webhookCa);
  if (!url.ok || !proxy.ok || !token.ok || !authorities.ok)
    return failure(...[url, proxy, token, authorities].flatMap(problemsOf));
  return success(
    eventSender(url.value, {
      proxy: proxy.value,
      now: () => new Date(),
      authoritiesPem: authorities.value,
      ...(token.value !== undefined && { token: token.value }),
    }),
  );
}

function needsUrl(option: string): Result<never> {
  const hint = 'add the URL, or remove the file';
  return failure(problem('usage/conflicting-options', `${option} needs --webhook`, { hint }));
}

function tokenIn(file: string): Result<string> {
  const read = readNamedBytes('--webhook-token-file', file, standardInput());
  return read.ok ? webhookToken(Buffer.from(read.value).toString('utf8')) : read;
}

function authoritiesIn(file: string): Result<string> {
  const read = readNamedText('--webhook-ca', file);
  if (!read.ok) return read;
  const { certificates, pem } = readCertificateBundle(read.value);
  if (certificates.length > 0) return success(pem);
  const message = '--webhook-ca contains no PEM certificate';
  return failure(
    problem('usage/unreadable-file', message, { hint: 'name a file with CA certificates in PEM' }),
  );
}
