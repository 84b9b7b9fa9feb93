import { readConfigFile } from '../config/reading/config-file.js';
import { problem, type Problem } from '../core/problem.js';
import { type YamlNode, nodeAt } from '../formats/yaml/yaml-tree.js';
import type { Inputs } from '../graph/context.js';

const file = 'install-config.yaml';

/**
 * Whether install-config.yaml requests FIPS mode; read early, because keys are generated while other inputs are read. A config that cannot
 * be parsed requests nothing; its asset reports the problems.
 */
export function isFipsRequested(inputs: Inputs): boolean {
  return requestOf(inputs) !== undefined;
}

/**
 * Warns if the config requests FIPS mode and this host is not in it. openshift-install refuses such a host.
 * Source: openshift/installer pkg/hostcrypt. Nothing is known about the host if `isFipsHost` is undefined.
 */
export function fipsHostWarnings(inputs: Inputs, isFipsHost: boolean | undefined): readonly Problem[] {
  const requested = isFipsHost === false ? requestOf(inputs) : undefined;
  if (requested === undefined) return [];
  return [
    problem('config/fips-host', 'fips is true, but this host is not in FIPS mode', {
      at: { file, path: 'fips', ...requested.span },
      hint: 'run sno-install on a Linux host that was installed in FIPS mode: /proc/sys/crypto/fips_enabled is 1',
    }),
  ];
}

function requestOf(inputs: Inputs): YamlNode | undefined {
  const read = inputs.read(file);
  // Most configs do not contain the word and are not parsed here.
  if (read.kind !== 'file' || !Buffer.from(read.bytes).includes('fips')) return undefined;
  const config = readConfigFile(inputs, file);
  const value = config.kind === 'document' ? nodeAt(config.root, ['fips']) : undefined;
  return value?.kind === 'scalar' && value.value === true ? value : undefined;
}
