import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { readCertificate } from '../certificates/certificate-facts.js';
import { oneLine } from '../key-facts.js';
import { pemBlock, plainPem, renderUrl } from '../render-text.js';
import type { ConfigTexts } from './config-texts.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** Time servers, proxy, mirrors and trusted authorities. */
export function serviceRows({ textOf, installConfig }: ConfigTexts): readonly SheetRow[] {
  const url = (name: string): string | undefined => {
    const value = textAt(installConfig, ['proxy', name]);
    return value === undefined ? undefined : renderUrl(value);
  };
  const mirrors = ['imageDigestSources', 'imageContentSources'].flatMap((name) =>
    listAt(installConfig, [name]).flatMap(mirrorRow),
  );
  return [
    ...row('ntp', 'NTP', ntpSources(textOf('/etc/chrony.conf'))),
    ...row('http-proxy', 'HTTP proxy', [url('httpProxy')]),
    ...row('https-proxy', 'HTTPS proxy', [url('httpsProxy')]),
    ...row('no-proxy', 'No proxy', textAt(installConfig, ['proxy', 'noProxy'])?.split(',') ?? []),
    ...mirrors,
    ...row(
      'trust-bundle',
      'Trust bundle',
      subjectsIn(textAt(installConfig, ['additionalTrustBundle']) ?? ''),
    ),
    ...row('trust-policy', 'Trusted by', [trustPolicy(installConfig)]),
  ];
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
