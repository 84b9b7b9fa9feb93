/** A review that returns the rights of the requesting user. */
export const rulesReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace: 'default' },
};

interface Rules {
  readonly status: {
    readonly resourceRules: readonly {
      readonly verbs: readonly string[];
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly resourceNames?: readonly string[];
    }[];
    readonly nonResourceRules: readonly {
      readonly verbs: readonly string[];
      readonly nonResourceURLs: readonly string[];
    }[];
  };
}

/** The rights in the review: a verb, and a resource or non-resource URL. */
export function rightsIn(text: string): readonly string[] {
  const { status } = JSON.parse(text) as Rules;
  const resources = status.resourceRules.flatMap(({ verbs, apiGroups, resources, resourceNames = [''] }) =>
    verbs.flatMap((verb) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          resourceNames.map(
            (name) => `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : `/${name}`}`,
          ),
        ),
      ),
    ),
  );
  const urls = status.nonResourceRules.flatMap(({ verbs, nonResourceURLs }) =>
    verbs.flatMap((verb) => nonResourceURLs.map((url) => `${verb} ${url}`)),
  );
  return [...new Set([...resources, ...urls])].toSorted();
}
