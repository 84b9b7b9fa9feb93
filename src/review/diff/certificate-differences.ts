import type { Detail, Difference, TextDetail } from './difference.js';

/** A difference of something that holds certificates, as one of each of them and what is left. */
export function withCertificates(
  difference: Difference & { readonly details: readonly TextDetail[] },
): readonly Difference[] {
  const { kind, name, in: places } = difference;
  const bySubject = new Map<string | undefined, readonly TextDetail[]>();
  for (const detail of difference.details)
    bySubject.set(detail.certificate, [...(bySubject.get(detail.certificate) ?? []), detail]);
  return [...bySubject].map(([subject, details]): Difference => {
    if (subject === undefined) return { ...difference, details };
    return {
      in: places,
      kind: 'certificate',
      name: subject,
      change: 'changed',
      details: details.map(withoutSubject),
      at: [`${kind} ${name}`],
    };
  });
}

/** A fact of a certificate has a value on both sides. */
function withoutSubject({ what, before = 'none', after = 'none' }: TextDetail): Detail {
  return { what, before, after };
}
