/** A DNS label in lower case (RFC 1123 §2.1, as in Kubernetes). */
const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Source: RFC 1035 §2.3.4. */
const maxLabelLength = 63;

/** Source: k8s.io/apimachinery pkg/util/validation, DNS1123SubdomainMaxLength. */
const maxDomainLength = 253;

/**
 * Explains why a text is not a domain name (a DNS-1123 subdomain with labels of at most 63 characters),
 * as the end of a sentence; undefined if it is valid.
 */
export function domainNameFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > maxDomainLength) return `it is longer than ${maxDomainLength} characters`;
  if (/[A-Z]/.test(text)) return 'it has upper-case letters';
  if (text.includes('_')) return 'it has an underscore';
  return text
    .split('.')
    .map(labelFault)
    .find((fault) => fault !== undefined);
}

/** Ignores case, like DNS. */
export function isDomainName(text: string): boolean {
  return domainNameFault(text.toLowerCase()) === undefined;
}

function labelFault(text: string): string | undefined {
  if (text === '') return 'it starts or ends with a dot, or has two dots in a row';
  if (text.length > maxLabelLength) return `a part between dots is longer than ${maxLabelLength} characters`;
  if (text.startsWith('-') || text.endsWith('-')) return 'a part between dots starts or ends with "-"';
  return label.test(text) ? undefined : 'only letters, digits, "-" and "." are allowed';
}
