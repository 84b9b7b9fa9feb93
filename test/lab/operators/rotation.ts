/** The fields of a Secret that certificate rotation reads. */
export interface RotatedSecret {
  readonly annotations: Readonly<Record<string, string>>;
  /** Common names of the CA certificates in the bundle. Undefined for a self-signed CA. */
  readonly issuers?: readonly string[];
  /** Required host names. Undefined for client certificates and CAs. */
  readonly hostnames?: readonly string[];
}

const prefix = 'auth.openshift.io/certificate-';

/**
 * Returns the operator's reason to reissue the certificate, in its words, or undefined if the certificate is kept.
 * Source: openshift/library-go pkg/operator/certrotation (signer.go, target.go)
 */
export function reasonToReissue(
  { annotations, issuers, hostnames }: RotatedSecret,
  now: Date,
): string | undefined {
  const [notBefore, notAfter] = [timeOf(annotations, 'not-before'), timeOf(annotations, 'not-after')];
  if (notAfter === undefined) return 'missing notAfter';
  if (notBefore === undefined) return 'missing notBefore';
  if (now.getTime() > notAfter) return 'already expired';
  if (now.getTime() > notBefore + 0.8 * (notAfter - notBefore)) return 'past its renewal time';
  const issuer = annotations[`${prefix}issuer`];
  if (issuers !== undefined && (issuer === undefined || !issuers.includes(issuer)))
    return `issuer ${JSON.stringify(issuer ?? '')}, not in ca bundle: ${issuers.join(', ')}`;
  return hostnames === undefined ? undefined : otherNames(annotations[`${prefix}hostnames`], hostnames);
}

function timeOf(annotations: RotatedSecret['annotations'], name: string): number | undefined {
  const time = Date.parse(annotations[`${prefix}${name}`] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** The sets must be equal: an extra name is a reason to reissue, like a missing one. */
function otherNames(text: string | undefined, wanted: readonly string[]): string | undefined {
  const existing = new Set((text ?? '').split(',').filter((name) => name !== ''));
  const missing = wanted.filter((name) => !existing.has(name));
  const surplus = [...existing].filter((name) => !wanted.includes(name));
  if (missing.length > 0) return `required and not existing: ${missing.join(', ')}`;
  return surplus.length > 0 ? `existing and not required: ${surplus.join(', ')}` : undefined;
}
