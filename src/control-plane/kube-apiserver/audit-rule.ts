/** A rule of an audit policy; the first matching rule applies. Source: kubernetes.io/docs/reference/config-api/apiserver-audit.v1 */
export interface AuditRule {
  readonly level: 'None' | 'Metadata' | 'RequestResponse';
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  /** The whole group if absent. */
  readonly resources?: readonly { readonly group: string; readonly resources?: readonly string[] }[];
}
