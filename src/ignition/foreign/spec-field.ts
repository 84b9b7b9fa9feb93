/** A field of Ignition's specs as a generated table says it: the part of spec-schema.ts that messages are made of. */
export interface SpecField {
  /** The minor of the first spec that has the field; 0 when left out. */
  readonly since?: number;
  /** What the value must be, where its type does not say it. */
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SpecField>>;
  readonly items?: SpecField;
}
