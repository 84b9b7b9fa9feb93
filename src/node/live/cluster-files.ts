import type { NodeFile } from '../../ignition/types.js';
import { proxyFiles } from '../proxy-files.js';
import { payloadMirrors, withPayloadAuth } from '../payload.js';
import { registriesConf } from '../registries.js';
import { modeOf } from './live-catalog.js';
import { envFile, envFilePath } from './live-env-file.js';
import type { LiveFacts } from './live-facts.js';

/** The files generated for this cluster; empty ones are left out. */
export function generatedFiles(facts: LiveFacts): readonly NodeFile[] {
  const { install, proxy, registry } = facts;
  return [
    file(envFilePath, envFile(facts)),
    // Source: containers-auth.json(5); podman, CRI-O and ostree read this file as root.
    file('/root/.docker/config.json', withPayloadAuth(install.pullSecret.reveal(), registry)),
    file('/etc/ignition-machine-config-encapsulated.json', fipsMachineConfig(install.fips)),
    ...optional(
      '/etc/containers/registries.conf',
      registriesConf(install, registry && payloadMirrors(registry)),
    ),
    ...optional('/etc/pki/ca-trust/source/anchors/ca.crt', install.additionalTrustBundle || undefined),
    ...proxyFiles(proxy),
  ];
}

/** A file that makes the initramfs of CoreOS enable FIPS mode. Source: rhcos-fips.sh of openshift/os */
function fipsMachineConfig(fips: boolean): string {
  const spec = { config: { ignition: { version: '3.1.0' } }, fips };
  const object = {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: 'bootstrap-fips' },
    spec,
  };
  return `${JSON.stringify(object)}\n`;
}

function optional(path: string, contents: string | undefined): readonly NodeFile[] {
  return contents === undefined ? [] : [file(path, contents)];
}

function file(path: string, contents: string): NodeFile {
  return { path, mode: modeOf(path), contents };
}
