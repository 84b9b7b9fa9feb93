/** Whether only the payload knows which feature gates are on. Source: openshift/api config/v1 FeatureSet */
export function namesGatesOfPayload(featureSet: string): boolean {
  return featureSet !== '' && featureSet !== 'Default' && featureSet !== 'CustomNoUpgrade';
}
