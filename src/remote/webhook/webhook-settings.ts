import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parses the URL of a webhook. Messages do not quote it, because its path may be a secret. Problems: webhook/address. */
export function webhookUrl(text: string): Result<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return wrong('--webhook is not an https URL', 'for example --webhook https://hooks.example.com/rollouts');
  if (url.username !== '' || url.password !== '')
    return wrong('--webhook contains a user or password', 'write a token to a file for --webhook-token-file');
  if (url.protocol === 'http:' && !loopback.has(url.hostname))
    return wrong(
      '--webhook does not use TLS',
      'use https; http is allowed only for 127.0.0.1, ::1 and localhost',
    );
  return success(url);
}

/** Characters of a bearer token. Source: RFC 6750 §2.1 */
const tokenForm = /^[\w.~+/-]+=*$/;

/** Parses the contents of the token file. Problems: webhook/address. */
export function webhookToken(text: string): Result<string> {
  const token = text.trim();
  if (tokenForm.test(token)) return success(token);
  return wrong('--webhook-token-file does not contain one bearer token', 'write only the token to the file');
}

function wrong(message: string, hint: string): Result<never> {
  return failure(problem('webhook/address', message, { hint }));
}
