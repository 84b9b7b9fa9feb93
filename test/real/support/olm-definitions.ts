/** The kinds of OLM, which is not part of kube-apiserver, without their fields. Source: operator-framework/api, operators/v1alpha1 */
export const olmDefinitions = [
  definition('ClusterServiceVersion', 'clusterserviceversions'),
  definition('Subscription', 'subscriptions'),
];

function definition(kind: string, plural: string) {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.operators.coreos.com` },
    spec: {
      group: 'operators.coreos.com',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
