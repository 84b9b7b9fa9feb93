import { basename } from 'node:path/posix';

import { isRecord } from '../core/is-record.js';
import { parseJson } from '../formats/json.js';
import { innerManifestText } from '../config/reading/payload-manifest.js';
import { payloadPort, payloadSources, type SitePayload } from '../config/reading/payload.js';
import { sha256 } from '../formats/sha256.js';
import { template } from '../formats/template.js';
import type { Templates } from '../graph/context.js';
import type { IgnitionUnit, NodeFile } from '../ignition/types.js';
import { modeOf } from './live/live-catalog.js';
import { quotedValue } from './live/env-value.js';
import type { Registry } from './registries.js';

/** The registry of a payload: its certificate and credentials. */
export interface PayloadRegistry {
  readonly payload: SitePayload;
  /** Host names with port under which it is reached: on the node itself, and in a cluster also from workers and pods. */
  readonly hosts: readonly [local: string, ...others: string[]];
  readonly certificatePem: string;
  readonly keyPem: string;
  /** The CA of the certificate. */
  readonly authorityPem: string;
  /** `user:password` in base64. */
  readonly auth: string;
  /** One line of an htpasswd file. */
  readonly htpasswd: string;
}

/** The user of the registry. Source: machine-config-operator pkg/controller/common, IRIRegistryUsername */
export const payloadUser = 'openshift';

/** The hosts of a registry, by the name of the API for clients in the cluster, if there is one. */
export function payloadHosts(...internalApiHosts: readonly string[]): PayloadRegistry['hosts'] {
  return [`localhost:${payloadPort}`, ...internalApiHosts.map((host) => `${host}:${payloadPort}`)];
}

/** The pull secret with the credentials of the registry, as the machine-config operator also writes it. */
export function withPayloadAuth(pullSecret: string, registry: PayloadRegistry | undefined): string {
  if (registry === undefined) return pullSecret;
  const data = parseJson(pullSecret);
  if (!isRecord(data) || !isRecord(data['auths']))
    throw new Error('internal error: pullSecret passed the rules');
  const own = Object.fromEntries(registry.hosts.map((host) => [host, { auth: registry.auth }]));
  return JSON.stringify({ ...data, auths: { ...data['auths'], ...own } });
}

/** The mirrors of the payload, which the live system uses: only itself, and only for digests. */
export function payloadMirrors({ payload, hosts: [host] }: PayloadRegistry): readonly Registry[] {
  return payloadSources(payload.manifest)
    .filter(({ pulledBy }) => pulledBy === 'digest')
    .map(({ source, repositories }) => ({
      location: source,
      mirrors: repositories.map((repository) => `${host}/${repository}`),
      isBlocked: true,
    }));
}

/** Files and units with which the live system installs from the payload. */
export function payloadLiveSystem(
  registry: PayloadRegistry,
  templates: Templates,
): { readonly files: readonly NodeFile[]; readonly units: readonly IgnitionUnit[] } {
  const unit = (name: string): IgnitionUnit => ({
    name,
    contents: templates.text(`payload/etc/systemd/system/${name}`),
  });
  return {
    files: [
      ...[
        'etc/systemd/system/release-image.service.d/sno-payload.conf',
        'usr/local/bin/sno-payload-disk.sh',
        ...sharedScripts,
      ].map((path) => constant(path, templates)),
      { path: payloadEnvPath, mode: 0o600, contents: settingsOf(registry.payload) },
      ...registryFiles(registry),
      ...trustFiles(registry),
    ],
    units: [unit('sno-payload-registry.service'), unit('sno-payload.service')],
  };
}

/** Files and the unit with which an all-in-one node pulls from the payload, at every boot. */
export function aioPayload(
  registry: PayloadRegistry,
  templates: Templates,
): { readonly files: readonly NodeFile[]; readonly units: readonly IgnitionUnit[] } {
  const name = 'sno-payload.service';
  return {
    files: [
      ...sharedScripts.map((path) => constant(path, templates)),
      {
        path: '/usr/local/bin/sno-root-device.sh',
        mode: 0o555,
        contents: templates.text('live/usr/local/bin/sno-root-device.sh'),
      },
      { path: aioPayloadEnvPath, mode: 0o600, contents: settingsOf(registry.payload, aioSettings) },
      ...registryFiles(registry),
      ...trustFiles(registry),
    ],
    units: [{ name, enabled: true, contents: templates.text(`payload/aio/${name}`) }],
  };
}

/** Scripts that find, check, mount and serve the payload. */
const sharedScripts = [
  'usr/local/bin/sno-payload-find.sh',
  'usr/local/bin/sno-payload-registry.sh',
  'usr/local/bin/sno-payload.sh',
];

function constant(path: string, templates: Templates): NodeFile {
  // systemd logs settings of units that only root can read.
  const mode = path.endsWith('.conf') ? 0o644 : modeOf(`/${path}`);
  return { path: `/${path}`, mode, contents: templates.text(`payload/${path}`) };
}

/** Settings for the scripts of the payload on the node; mode 0600. */
export const payloadEnvPath = '/opt/openshift/sno-payload.env';

const aioPayloadEnvPath = '/etc/sno-install/sno-payload.env';

/** A node that has its images starts without the payload, after a short search. */
const aioSettings = [
  ['SNO_PAYLOAD_LIMIT_SECONDS', '60'],
  ['SNO_PAYLOAD_CONSEQUENCE', 'Missing images cannot be pulled'],
] as const;

function settingsOf(
  { file, verify, manifest }: SitePayload,
  others: readonly (readonly [string, string])[] = [],
): string {
  const rows = [
    ['SNO_PAYLOAD_NAME', basename(file)],
    ['SNO_PAYLOAD_BYTES', String(manifest.fileSystem.bytes)],
    ['SNO_PAYLOAD_SHA256', manifest.fileSystem.sha256],
    ['SNO_PAYLOAD_MANIFEST_SHA256', sha256(innerManifestText(manifest))],
    ['SNO_PAYLOAD_VERIFY', verify],
    ['SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE', manifest.registry.isOfRelease ? '1' : '0'],
    ...others,
  ] as const;
  const lines = rows.map(([name, value]) => `${name}=${quotedValue(name, value)}`);
  return `# Settings of the scripts of the payload, read with source.\n${lines.join('\n')}\n`;
}

/** Paths as in machine-config-operator pkg/controller/internalreleaseimage/templates/master/files. */
function registryFiles({ certificatePem, keyPem, htpasswd }: PayloadRegistry): readonly NodeFile[] {
  const folder = '/etc/iri-registry';
  return [
    { path: `${folder}/auth/htpasswd`, mode: 0o600, contents: htpasswd },
    { path: `${folder}/certs/tls.crt`, mode: 0o644, contents: certificatePem },
    { path: `${folder}/certs/tls.key`, mode: 0o600, contents: keyPem },
  ];
}

/** Source: containers-certs.d(5) */
function trustFiles({ hosts, authorityPem }: PayloadRegistry): readonly NodeFile[] {
  return hosts.map((host) => ({
    path: `/etc/containers/certs.d/${host}/ca.crt`,
    mode: 0o644,
    contents: authorityPem,
  }));
}

/** Files and units of the installed node that mount the payload, and trust its registry. */
export function payloadMount(
  registry: PayloadRegistry,
  { isNative, templates }: { readonly isNative: boolean; readonly templates: Templates },
): { readonly files: readonly NodeFile[]; readonly units: readonly IgnitionUnit[] } {
  const unit = template(templates.text('payload/installed/units/sno-payload-mount.service.tmpl'), ['mode']);
  return {
    files: [installedScript('sno-payload-mount.sh', templates), ...trustFiles(registry)],
    units: [
      {
        name: 'sno-payload-mount.service',
        enabled: true,
        contents: unit.fill({ mode: isNative ? 'overlay' : 'plain' }),
      },
    ],
  };
}

/** Files and units of the registry where the machine-config operator does not run it. */
export function ownPayloadRegistry(
  registry: PayloadRegistry,
  templates: Templates,
): { readonly files: readonly NodeFile[]; readonly units: readonly IgnitionUnit[] } {
  const isOfRelease = registry.payload.manifest.registry.isOfRelease ? '1' : '0';
  const name = 'iri-registry.service';
  return {
    files: [
      installedScript('sno-payload-serve.sh', templates),
      ...registryFiles(registry),
      {
        path: '/etc/iri-registry/registry.env',
        mode: 0o644,
        contents: `SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE=${isOfRelease}\n`,
      },
    ],
    units: [{ name, enabled: true, contents: templates.text(`payload/installed/units/${name}`) }],
  };
}

function installedScript(name: string, templates: Templates): NodeFile {
  const path = `usr/local/bin/${name}`;
  return { path: `/${path}`, mode: 0o755, contents: templates.text(`payload/installed/${path}`) };
}
