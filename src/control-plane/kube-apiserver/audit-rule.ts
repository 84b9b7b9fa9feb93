/** Source: kubernetes.io/docs/reference/config-api/apiserver-audit.v1 */
export interface AuditRule {
  readonly level: 'None' | 'Metadata' | 'RequestResponse';
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  /** Without `resources` the whole group. */
  readonly resources?: readonly { readonly group: string; readonly resources?: readonly string[] }[];
}

/** The first rule that fits decides. Bodies are never written where they could hold a secret of the cluster's users. */
