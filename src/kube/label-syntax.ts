/** Source of both forms: k8s.io/apimachinery pkg/util/validation IsQualifiedName, IsValidLabelValue, DNS1123SubdomainMaxLength */
const namePattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const domainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxNameLength = 63;
const maxDomainLength = 253;

export function isLabelValue(text: string): boolean {
  return text === '' || isName(text);
}

/** Whether a text is a key of a label or annotation: a name, with an optional domain and `/` before it. */
export function isQualifiedName(key: string): boolean {
  const [first = '', second, ...others] = key.split('/');
  if (others.length > 0 || !isName(second ?? first)) return false;
  return second === undefined || (first.length <= maxDomainLength && domainPattern.test(first));
}

/** The domain of a key of a label; empty if it has none. */
export function labelDomain(key: string): string {
  const [domain = '', name] = key.split('/');
  return name === undefined ? '' : domain;
}

function isName(text: string): boolean {
  return text.length <= maxNameLength && namePattern.test(text);
}
