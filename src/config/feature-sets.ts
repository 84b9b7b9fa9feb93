/** Whether only the payload knows which feature gates are on. Source: openshift/api config/v1 FeatureSet */
export function namesGatesOfPayload(featureSet: string): boolean {
  return featureSet !== '' && featureSet !== 'Default' && featureSet !== 'CustomNoUpgrade';
}

/** Gates by their state, in the order given; a state without gates is left out. Source: openshift/api config/v1 CustomFeatureGates */
export interface CustomFeatures {
  readonly disabled?: readonly string[];
  readonly enabled?: readonly string[];
}

/** The feature gates of an install-config, which are written `Name=true` or `Name=false`. */
export function customFeatures(featureGates: readonly string[]): CustomFeatures {
  const [enabled, disabled] = [gatesSetTo('true', featureGates), gatesSetTo('false', featureGates)];
  return { ...(disabled.length > 0 && { disabled }), ...(enabled.length > 0 && { enabled }) };
}

function gatesSetTo(value: 'true' | 'false', gates: readonly string[]): readonly string[] {
  const ending = `=${value}`;
  return gates.filter((gate) => gate.endsWith(ending)).map((gate) => gate.slice(0, -ending.length));
}
