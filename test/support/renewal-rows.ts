/** A certificate that an all-in-one node renews: a row of certificates.tsv, without what only its request holds. */
export interface RenewalRow {
  readonly name: string;
  readonly signer: string;
  readonly keyFile: string;
  readonly certFiles: readonly string[];
  /** `chain` where the signer's certificate follows. */
  readonly form: string;
  /** Names of manifests without their ending. */
  readonly pods: readonly string[];
}

/** The rows of the text of certificates.tsv. */
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
