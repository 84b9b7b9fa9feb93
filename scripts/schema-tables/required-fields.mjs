// Fields that OpenAPI documents call required, although the API server accepts objects without them.

/** `TYPE.FIELD` as in the documents. Found by the comparison with kube-apiserver, test/real/schemas. */
const optional = new Set([]);

export function isRequired(type, field) {
  return !optional.has(`${type.split('.').slice(-1)[0]}.${field}`);
}
