/** Wraps a secret so that messages, logs and JSON show a placeholder. Only `reveal` returns the value. */
export class Redacted<T> {
  readonly #value: T;
  readonly #shown: string;

  constructor(value: T, shown = '[redacted]') {
    this.#value = value;
    this.#shown = shown;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.#shown;
  }
}
