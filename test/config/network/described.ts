import { readSnoConfig, type SnoReading } from '../../../src/config/reading/sno-config.js';
import { keyfilesOf } from '../../../src/config/network/keyfiles.js';
import { testContext } from '../../support/context.js';

/** Reads a sno-config.yaml with this nmstate description as its network, without an install-config.yaml. */
function readDescription(description: string): SnoReading {
  const network = description.trim().replace(/^/gm, '  ');
  const text = `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nnetwork:\n${network}\n`;
  return readSnoConfig(testContext({ files: { 'sno-config.yaml': text } }).inputs, undefined);
}

/** NetworkManager keyfiles of a description, by file name; or the codes of its errors. */
export function describedKeyfiles(description: string): Readonly<Record<string, string>> | readonly string[] {
  const { problems, config } = readDescription(description);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ code, message }) => `${code}: ${message}`);
  return Object.fromEntries(keyfilesOf(config.network ?? {}).map(({ name, text }) => [name, text]));
}
