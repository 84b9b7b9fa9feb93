import { isRecord } from '../../../core/is-record.js';
import { quoted } from '../../../core/quoted.js';
import { isCutOff, parseJson, placeOfJsonFault, whyNotJson } from '../../../formats/json.js';
import { jsonPlaces } from '../../../formats/yaml/yaml.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

const path = ['pullSecret'];

/** Rules on registry credentials. Messages contain the names of registries only, never a credential. */
export const pullSecretRules: readonly InstallRule[] = [
  {
    number: 14,
    fields: ['pullSecret'],
    text: 'pullSecret is a JSON object with at least one registry in `auths`.',
    origin: 'openshift-install',
    check: ({ config }) => {
      const read = readPullSecret(config.pullSecret.reveal());
      return read.ok ? [] : [{ code: 'config/pull-secret', path, message: read.fault, hint: read.hint }];
    },
  },
  {
    number: 15,
    fields: ['pullSecret'],
    text: 'Each registry in pullSecret has an `auth` (user:password in base64) or a credsStore.',
    origin: 'sno-install',
    check: entries,
  },
];

/** A pull secret without access, for commands that do not fetch the secret of a site. A config with it is valid. */
export const examplePullSecret = '{"auths":{"registry.example":{"auth":"ZXhhbXBsZTpleGFtcGxl"}}}';

/**
 * Registries, or parts of one such as quay.io/team, with credentials in a pull secret; undefined if it cannot be parsed
 * or is the example. Docker
 * writes a scheme and a path `/v1/` or `/v2/`, which are no part of the name. Source: containers-auth.json(5)
 */
export function registriesOf(pullSecret: string): readonly string[] | undefined {
  const read = readPullSecret(pullSecret);
  if (!read.ok || pullSecret === examplePullSecret) return undefined;
  return Object.keys(read.auths).map((key) =>
    key.replace(/^https?:\/\//, '').replace(/(?:\/v[12])?\/?$/, ''),
  );
}

/** Whether one of these registries, or parts of a registry, contains a repository. */
export function isCoveredBy(registries: readonly string[], repository: string): boolean {
  return registries.some((known) => repository === known || repository.startsWith(`${known}/`));
}

const downloadAgain = 'download it again from https://console.redhat.com/openshift/install/pull-secret';

type Reading =
  | { readonly ok: true; readonly auths: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: string; readonly hint: string };

function readPullSecret(text: string): Reading {
  const data = parseJson(text);
  const hint = downloadAgain;
  if (data === undefined) {
    const isBroken = parseJson(text.replace(/\s+/g, '')) !== undefined;
    if (isBroken)
      return { ok: false, fault: 'pullSecret contains line breaks', hint: 'put the whole JSON on one line' };
    const why = isCutOff(text) ? 'is cut off: its JSON ends early' : whyNotJson(text);
    return { ok: false, fault: `pullSecret ${why}${placeText(text)}`, hint };
  }
  const auths = isRecord(data) ? data['auths'] : undefined;
  if (!isRecord(auths)) return { ok: false, fault: 'pullSecret has no map "auths"', hint };
  if (Object.keys(auths).length === 0)
    return { ok: false, fault: 'pullSecret has no registry in "auths"', hint };
  return { ok: true, auths };
}

/** Such as `: unexpected character at line 1, column 12 of its text`; the character could be part of a password. */
function placeText(text: string): string {
  const place = isCutOff(text) ? undefined : placeOfJsonFault(text);
  return place === undefined
    ? ''
    : `: unexpected character at line ${place.line}, column ${place.col} of its text`;
}

function entries({ config, input }: InstallSubject): readonly Finding[] {
  const read = readPullSecret(config.pullSecret.reveal());
  if (!read.ok) return [];
  const placeOf = jsonPlaces(input.pullSecret ?? '');
  return Object.entries(read.auths).flatMap(([registry, entry]) => {
    const fault = entryFault(entry);
    if (fault === undefined) return [];
    const message = `the entry of ${quoted(registry)} in pullSecret ${fault}`;
    return [
      {
        code: 'config/pull-secret' as const,
        path,
        target: { textLine: (placeOf(['auths', registry], 'key')?.line ?? 1) - 1 },
        message,
        hint: 'log in with podman and use its auth.json, or download the pull secret again',
      },
    ];
  });
}

function entryFault(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'is not a map';
  const auth = entry['auth'];
  if (auth === undefined)
    return entry['credsStore'] === undefined ? 'has neither "auth" nor "credsStore"' : undefined;
  if (typeof auth !== 'string') return 'has an "auth" that is not a string';
  if (/\s/.test(auth)) return 'has an "auth" that contains a space or a line break';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(auth) || auth.length % 4 !== 0)
    return 'has an "auth" that is not base64';
  return /^[^:]+:./s.test(atob(auth)) ? undefined : 'has an "auth" that is not user:password in base64';
}
