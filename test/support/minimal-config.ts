import { readFileSync } from 'node:fs';

/** The config that all other test configs modify. */
export const minimalInstallConfig = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');

/** A sno-config.yaml with the given body. */
export function snoConfigText(body: string): string {
  return `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${body}`;
}
