import type { Release } from '../../config/reading/release.js';
import type { Capabilities } from '../../fields/install-config-schema.js';
import { capabilitiesOf } from '../../release/capability-sets.js';

/**
 * Whether a component is installed: by default all are; with `capabilities` in install-config.yaml those of its
 * baseline and those named beside it. A release that does not know the capability yet installs the component always.
 */
export function isEnabled(
  capability: string,
  given: Capabilities | undefined,
  version: Release['version'],
): boolean {
  if (given === undefined || given.additionalEnabledCapabilities.includes(capability)) return true;
  const known = version && capabilitiesOf(`v${version.text}`);
  if (known?.has(capability) === false) return true;
  return capabilitiesOf(given.baselineCapabilitySet)?.has(capability) ?? false;
}
