import { secretFile } from '../../core/output-file.js';
import { resultOf, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { checkConfig } from '../../ignition/check-config.js';
import { pointerConfig } from '../../ignition/pointer.js';
import { serializeConfig } from '../../ignition/serialize.js';
import { internalApiHost } from '../../config/cluster-domain.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import { installConfig } from '../config/install-config.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { signers } from '../tls/certificates.js';

const needs = { config: installConfig, rootCa: signers['root-ca'] };

/** Pointer config of a control-plane machine; compact JSON. Written to its user-data Secret, not to a file. */
export const masterPointer = defineAsset({
  name: 'ignition/master-pointer',
  needs,
  tryMake: (parents) => pointerTo('master', parents),
});

/** Pointer config of workers that are added later; compact JSON. */
export const workerPointer = defineAsset({
  name: 'ignition/worker-pointer',
  needs,
  tryMake: (parents) => pointerTo('worker', parents),
  files: (text) => [secretFile('worker.ign', text)],
});

interface Parents {
  readonly config: InstallConfig;
  readonly rootCa: CertifiedKey;
}

/** Port 22623 is that of the machine-config server. Source: openshift/installer pkg/asset/ignition/machine/node.go */
function pointerTo(role: 'master' | 'worker', { config, rootCa }: Parents): Result<string> {
  const server = `https://${internalApiHost(config)}:22623`;
  const pointer = pointerConfig(`${server}/config/${role}`, rootCa.certPem);
  return resultOf(serializeConfig(pointer), checkConfig(pointer));
}
