import { readFileSync } from 'node:fs';

/** The config every other one is an edit of. */
export const minimalInstallConfig = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');

/** A sno-config.yaml with the given body. */
export function snoConfigText(body: string): string {
  return `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${body}`;
}
