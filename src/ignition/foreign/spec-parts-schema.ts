import { z } from 'zod';

/** What the schema says of a field beside its type. */
interface SpecNotes {
  /** The minor of the first spec that has the field; 0 when left out. */
  readonly since?: number;
  /** What the value must be, where its type does not say it. */
  readonly description?: string;
  /** Of a list: nothing stands in it twice. */
  readonly uniqueItems?: true;
}

/** Any text. */
export const text = z.string();
/** A text that is not empty. */
export const given = text.regex(/^./s).meta({ description: 'given' });
/** Of a file or device. */
export const absolute = text.regex(/^\//).meta({ description: 'an absolute path' });
/** A number of Go's int. */
export const whole = z.int();
/** True or false. */
export const flag = z.boolean();

/** A field that may be left out, or be null, which is the same to Ignition. */
export function field<T extends z.ZodType>(type: T, notes: SpecNotes = {}): z.ZodOptional<T> {
  return type.meta({ ...notes }).optional();
}

/** A list that may be left out. */
export function listOf<T extends z.ZodType>(type: T, notes: SpecNotes = {}): z.ZodOptional<z.ZodArray<T>> {
  return field(z.array(type), notes);
}

const verification = z.strictObject({
  hash: field(text.regex(/^(?:sha256-[0-9a-fA-F]{64}|sha512-[0-9a-fA-F]{128})$/), {
    description: '"sha512-" with 128 digits or "sha256-" with 64',
  }),
});
/** Where contents come from. */
export const resource = z.strictObject({
  source: field(text),
  compression: field(z.enum(['', 'gzip']), { description: 'gzip or left out' }),
  httpHeaders: listOf(z.strictObject({ name: given, value: field(text) }), { since: 1 }),
  verification: field(verification),
});
/** Configs and authorities, which could be less than files at first. */
export const reference = resource.extend({
  compression: field(z.enum(['', 'gzip']), { since: 1, description: 'gzip or left out' }),
});
