import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import type { Variables } from '../../disk/environment.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';

/** Reads the CA certificates from AWS_CA_BUNDLE and ignores everything else in the file. Problems: usage/unreadable-file. */
export function storeAuthorities(variables: Variables): Result<{ readonly authoritiesPem?: string }> {
  const file = variables['AWS_CA_BUNDLE'] ?? '';
  if (file === '') return success({});
  const read = readNamedText('AWS_CA_BUNDLE', file);
  if (!read.ok) return read;
  const { certificates, pem } = readCertificateBundle(read.value);
  if (certificates.length > 0) return success({ authoritiesPem: pem });
  const message = 'AWS_CA_BUNDLE contains no PEM certificate';
  return failure(
    problem('usage/unreadable-file', message, { hint: 'set it to a file with the CA certificates in PEM' }),
  );
}
