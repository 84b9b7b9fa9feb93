import { byCodeUnit, byKey } from '../../core/compare.js';

/** Flags without dashes, each with its values: a flag with several stands on the command line once for each of them. */
export type FlagValues = Readonly<Record<string, readonly string[]>>;

/** `--flag=value` for every value, sorted by flag; the values of one flag stay in their order. */
export function flagArguments(flags: FlagValues): readonly string[] {
  return Object.entries(flags)
    .toSorted(byKey)
    .flatMap(([flag, values]) => values.map((value) => `--${flag}=${value}`));
}

/** The gates that are turned on or off, as the texts `Name=true`; what the payload says comes first, so that the user's hold. */
export function featureGateSettings({ featureGates, payloadGates }: Gates): readonly string[] {
  const settings = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`);
  return [...(payloadGates === undefined ? [] : [payloadGates]), ...settings.toSorted(byCodeUnit)];
}

/** The same as the flag that all programs of Kubernetes take; nothing when there are none. */
export function featureGateFlags(gates: Gates): FlagValues {
  const settings = featureGateSettings(gates);
  return settings.length === 0 ? {} : { 'feature-gates': [settings.join(',')] };
}

interface Gates {
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Stands for those of the payload until the node fills them in. */
  readonly payloadGates?: string;
}
