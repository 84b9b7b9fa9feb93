import { readSnoConfig, type SnoReading } from '../../../src/config/reading/sno-config.js';
import { keyfilesOf } from '../../../src/config/network/keyfiles.js';
import { testContext } from '../../support/context.js';

/** sno-config.yaml with a description of nmstate as its network, and no install-config.yaml to hold it against. */
function readDescription(description: string): SnoReading {
  const network = description.trim().replace(/^/gm, '  ');
  const text = `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nnetwork:\n${network}\n`;
  return readSnoConfig(testContext({ files: { 'sno-config.yaml': text } }).inputs, undefined);
}

/** The profiles that are made of a description, by file name; the codes of its errors, where it has some. */
export function describedKeyfiles(description: string): Readonly<Record<string, string>> | readonly string[] {
  const { problems, config } = readDescription(description);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ code, message }) => `${code}: ${message}`);
  return Object.fromEntries(keyfilesOf(config.network ?? {}).map(({ name, text }) => [name, text]));
}
