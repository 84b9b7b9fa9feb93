/** The part of node-forge that reads and writes ASN.1, which loads without the rest of it. */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1 } from 'node-forge';

  interface ReadOptions {
    readonly strict?: boolean;
    readonly parseAllBytes?: boolean;
    /** Whether a bit string that looks like ASN.1 is taken apart. */
    readonly decodeBitStrings?: boolean;
  }

  const part: Omit<typeof asn1, 'create' | 'fromDer'> & {
    /** `tag` is a universal type, or any number in another class. */
    create(tagClass: asn1.Class, tag: number, constructed: boolean, value: string | asn1.Asn1[]): asn1.Asn1;
    fromDer(der: string, options?: ReadOptions): asn1.Asn1;
  };
  export default part;
}
