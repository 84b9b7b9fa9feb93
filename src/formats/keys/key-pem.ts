import { Redacted } from '../../core/redacted.js';

/** The PEM text of a private key. Only `reveal` returns it. */
export class KeyPem extends Redacted<string> {
  /** Other redacted texts are no keys. */
  declare readonly isKey: true;

  constructor(text: string) {
    super(text, '[private key]');
  }
}
