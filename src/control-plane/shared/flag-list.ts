import { byCodeUnit, byKey } from '../../core/compare.js';

/** Flags without dashes and their values; a flag with several values is repeated on the command line. */
export type FlagValues = Readonly<Record<string, readonly string[]>>;

/** `--flag=value` for every value, sorted by flag; the values of a flag keep their order. */
export function flagArguments(flags: FlagValues): readonly string[] {
  return Object.entries(flags)
    .toSorted(byKey)
    .flatMap(([flag, values]) => values.map((value) => `--${flag}=${value}`));
}

/** Feature gates as `Name=true` or `Name=false`. The payload's gates come first, so that the user's override them. */
export function featureGateSettings({ featureGates, payloadGates }: Gates): readonly string[] {
  const settings = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`);
  return [...(payloadGates === undefined ? [] : [payloadGates]), ...settings.toSorted(byCodeUnit)];
}

/** The flag `feature-gates`, common to all Kubernetes programs; empty if there are no gates. */
export function featureGateFlags(gates: Gates): FlagValues {
  const settings = featureGateSettings(gates);
  return settings.length === 0 ? {} : { 'feature-gates': [settings.join(',')] };
}

interface Gates {
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Placeholder for the payload's gates, which the node replaces. */
  readonly payloadGates?: string;
}
