/** A certificate that an all-in-one node renews: a row of certificates.tsv, without the fields of its request. */
export interface RenewalRow {
  readonly name: string;
  readonly signer: string;
  readonly keyFile: string;
  readonly certFiles: readonly string[];
  /** `chain` if the issuer's certificate is appended. */
  readonly form: string;
  /** Manifest names without extension. */
  readonly pods: readonly string[];
}

/** Parses certificates.tsv. */
export function renewalRows(text: string): readonly RenewalRow[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', signer = '', , , , keyFile = '', certFiles = '', form = '', pods = ''] =
      line.split('\t');
    return {
      name,
      signer,
      keyFile,
      certFiles: certFiles.split(' '),
      form,
      pods: pods === '-' ? [] : pods.split(' '),
    };
  });
}
