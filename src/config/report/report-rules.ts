import type { Finding, Rule } from '../schema/rule.js';
import { goUrlFault } from '../../formats/go-url.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';

/** Input of the `report` rules: a part of the input of all sno-config.yaml rules. */
export interface ReportSubject {
  readonly input: { readonly report?: { readonly url?: string; readonly caBundle?: string } };
}

/** Rules on the report server's URL and its CA bundle. */
export const reportRules: readonly Rule<ReportSubject>[] = [
  {
    number: 117,
    fields: ['report.url', 'report.caBundle'],
    text: 'report.url is an https:// URL without user, query and fragment; report.caBundle contains X.509 certificates in PEM.',
    origin: 'sno-install',
    check: ({ input: { report } }) => [...urlFindings(report?.url), ...bundleFindings(report?.caBundle)],
  },
];

function urlFindings(text: string | undefined): readonly Finding[] {
  const fault = text === undefined ? undefined : reportUrlFault(text);
  if (fault === undefined) return [];
  return [{ code: 'config/report', path: ['report', 'url'], message: `report.url ${fault}`, hint: urlHint }];
}

const urlHint = 'write only the server, such as https://boot.example.com:8443';

/** The end of a sentence. Does not repeat the text, which may contain a password. */
function reportUrlFault(text: string): string | undefined {
  if (!URL.canParse(text) || /\s/.test(text)) return 'is not a URL';
  const { protocol, username, password, search, hash, hostname } = new URL(text);
  if (protocol !== 'https:') return 'must start with https://, because the token of the site is sent to it';
  if (username !== '' || password !== '') return 'contains a user; reports are authenticated by a token';
  if (search !== '' || hash !== '' || /[?#]/.test(text)) return 'contains a query or a fragment';
  // The URL is quoted in a curl config file. Source: curl(1), --config
  if (hostname === '' || /["\\{}]/.test(text)) return 'contains an invalid character';
  return goUrlFault(text);
}

function bundleFindings(text: string | undefined): readonly Finding[] {
  if (text === undefined) return [];
  const { certificates, faults } = readCertificateBundle(text);
  const place = { code: 'config/report' as const, path: ['report', 'caBundle'] };
  if (faults.length === 0 && certificates.length === 0)
    return [{ ...place, message: 'report.caBundle contains no certificate', hint: bundleHint }];
  return faults.slice(0, 5).map(({ textLine, fault }) => ({
    ...place,
    target: { textLine },
    message: `report.caBundle cannot be read at its line ${textLine + 1}: ${fault}`,
    hint: bundleHint,
  }));
}

const bundleHint = 'write the CA certificate of the server below "caBundle: |", each line indented';
