// Fields that OpenAPI documents call required, although the API server accepts objects without them: a Go type cannot tell an
// absent field from its zero value, and the validation of the type allows that.

/** `TYPE.FIELD`. Found by the comparison with kube-apiserver, test/real/schemas; rbac.authorization.k8s.io has a default for apiGroup. */
const optional = new Set(['LimitRangeSpec.limits', 'ControllerRevision.revision', 'RoleRef.apiGroup']);

export function isRequired(type, field, schema) {
  if (schema?.type === 'boolean' || field === 'spec') return false;
  return !optional.has(`${type.split('.').at(-1)}.${field}`);
}
