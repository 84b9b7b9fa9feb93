/** A field of Ignition's specs in the generated table: the parts of spec-schema.ts that messages need. */
export interface SpecField {
  /** Minor of the first spec version with the field; 0 if absent. */
  readonly since?: number;
  /** Valid values, if the type alone does not express them. */
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SpecField>>;
  readonly items?: SpecField;
}
