import { inspect } from 'node:util';

const shown = '[private key]';

/** The PEM text of a private key. Texts, JSON and logs that contain the object show a placeholder; only `exposePem` returns the text. */
export class KeyPem {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  exposePem(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
