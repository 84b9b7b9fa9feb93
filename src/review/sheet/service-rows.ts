import { byCodeUnit } from '../../core/compare.js';
import { isRecord } from '../../core/is-record.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { readCertificate } from '../certificates/certificate-facts.js';
import { environmentIn } from '../inspection/environment-file.js';
import { oneLine } from '../key-facts.js';
import { pemBlock, plainPem, renderUrl } from '../render-text.js';
import type { ConfigTexts } from './config-texts.js';
import type { BootedMedium } from './boot-rows.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** Time servers, proxy, registries, mirrors and trusted authorities. */
export function serviceRows(
  { textOf, installConfig, manifests }: ConfigTexts,
  medium: BootedMedium | undefined,
): readonly SheetRow[] {
  const url = (name: string): string | undefined => {
    const value = textAt(installConfig, ['proxy', name]);
    return value === undefined ? undefined : renderUrl(value);
  };
  const mirrors = ['imageDigestSources', 'imageContentSources'].flatMap((name) =>
    listAt(installConfig, [name]).flatMap(mirrorRow),
  );
  const payload = environmentIn(
    textOf('/opt/openshift/sno-payload.env') || textOf('/etc/sno-install/sno-payload.env'),
  );
  return [
    ...row('ntp', 'NTP', ntpSources(textOf('/etc/chrony.conf'))),
    ...row('http-proxy', 'HTTP proxy', [url('httpProxy')]),
    ...row('https-proxy', 'HTTPS proxy', [url('httpsProxy')]),
    ...row('no-proxy', 'No proxy', textAt(installConfig, ['proxy', 'noProxy'])?.split(',') ?? []),
    ...row('pull-secret', 'Pull secret', pullSecretRegistries(manifests)),
    ...row('payload', 'Payload', [payloadText(payload)]),
    ...row('payload-place', 'Payload is', [payloadPlace(payload, medium?.payload)]),
    ...mirrors,
    ...row(
      'trust-bundle',
      'Trust bundle',
      subjectsIn(textAt(installConfig, ['additionalTrustBundle']) ?? ''),
    ),
    ...row('trust-policy', 'Bundle for', [trustPolicy(installConfig)]),
  ];
}

/** Name and size of the payload that the node installs from. */
function payloadText(values: ReadonlyMap<string, string>): string | undefined {
  const name = values.get('SNO_PAYLOAD_NAME');
  if (name === undefined) return undefined;
  const isWhole = values.get('SNO_PAYLOAD_VERIFY') === 'Full' ? ', checked as a whole' : '';
  return `${name}, ${values.get('SNO_PAYLOAD_BYTES') ?? ''} bytes${isWhole}`;
}

/** Whether an ISO contains the payload of its config; undefined if it is no ISO, or neither has a payload. */
function payloadPlace(
  values: ReadonlyMap<string, string>,
  payload: BootedMedium['payload'],
): string | undefined {
  const wanted = values.get('SNO_PAYLOAD_SHA256');
  if (payload === undefined || (wanted === undefined && payload === 'none')) return undefined;
  if (payload === 'none') return 'not on this medium';
  const { sha256 } = payload;
  if (sha256 === undefined) return 'damaged on this medium';
  if (sha256 === wanted) return 'on this medium';
  return wanted === undefined
    ? 'on this medium, but the config uses none'
    : 'not on this medium, but another one is';
}

/** Source: chrony.conf(5), server and pool */
function ntpSources(text: string): readonly string[] {
  return [...text.matchAll(/^(?:server|pool|peer)\s+(\S+)/gm)].map(([, source = '']) => source);
}

function mirrorRow(source: unknown): readonly SheetRow[] {
  const mirrors = strings(listAt(source, ['mirrors']));
  const registry = textAt(source, ['source']);
  const never = textAt(source, ['sourcePolicy']) === 'NeverContactSource' ? ' (source is never used)' : '';
  return registry === undefined
    ? []
    : row('mirror', 'Mirror', [`${registry} from ${mirrors.join(' or ')}${never}`]);
}

/** Registries with credentials, sorted. */
function pullSecretRegistries(manifests: ConfigTexts['manifests']): readonly string[] {
  const secret = manifests.find(({ file }) => file === 'openshift-config-secret-pull-secret.yaml')?.object;
  const encoded = textAt(secret, ['data', '.dockerconfigjson']) ?? '';
  const text =
    textAt(secret, ['stringData', '.dockerconfigjson']) ?? Buffer.from(encoded, 'base64').toString();
  const auths = fieldAt(parseJson(text), ['auths']);
  return isRecord(auths) ? Object.keys(auths).toSorted(byCodeUnit) : [];
}

function subjectsIn(pem: string): readonly string[] {
  return [...pem.matchAll(pemBlock)].map(([block]) => {
    const certificate = readCertificate(plainPem(block));
    return certificate === undefined ? 'a certificate that cannot be read' : oneLine(certificate.subject);
  });
}

/** With the default policy, the cluster trusts the bundle only if it has a proxy. Source: openshift/installer, additionalTrustBundlePolicy */
function trustPolicy(installConfig: unknown): string | undefined {
  if (textAt(installConfig, ['additionalTrustBundle']) === undefined) return undefined;
  const isOfCluster =
    textAt(installConfig, ['additionalTrustBundlePolicy']) === 'Always' ||
    fieldAt(installConfig, ['proxy']) !== undefined;
  return isOfCluster ? 'node and cluster' : 'node only';
}
