import { z } from 'zod';

/*
 * The configs we write, more strictly than the spec: nothing unknown, every member of its one type, every number in its range.
 * foreign/spec-schema.ts has what others may write. Source: coreos.github.io/ignition/configuration-v3_2
 */

const source = z.string().regex(/^(data:|https:\/\/)/);
const named = z.strictObject({ source });

/** What a file holds: in the config itself, or fetched and then held against its hash. */
const resource = z
  .strictObject({
    source,
    compression: z.literal('gzip').optional(),
    verification: z
      .strictObject({ hash: z.string().regex(/^(sha256-[0-9a-f]{64}|sha512-[0-9a-f]{128})$/) })
      .optional(),
  })
  .meta({
    if: { properties: { source: { type: 'string', pattern: '^https:' } } },
    then: { required: ['verification'] },
  });

const given = z.string().regex(/^./);
const path = z.string().regex(/^\//);
const user = z.strictObject({ name: z.literal('root') });
/** Permission bits alone: setuid, setgid and sticky are ignored before spec 3.6. */
const mode = z.int().min(0).max(0o777);

const file = z
  .strictObject({
    path,
    mode,
    user,
    overwrite: z.boolean(),
    contents: resource.optional(),
    append: z.array(resource).min(1).optional(),
  })
  // Either the file is replaced, or something is added to the one that is there.
  .meta({
    oneOf: [
      { required: ['contents'], properties: { overwrite: { const: true } } },
      { required: ['append'], properties: { overwrite: { const: false } } },
    ],
  });

const unitName = z.string().regex(/^[^/\s]+$/);
const unit = z.strictObject({
  name: unitName,
  enabled: z.literal(true).optional(),
  mask: z.literal(true).optional(),
  contents: z.string().optional(),
  dropins: z.array(z.strictObject({ name: unitName, contents: z.string() })).optional(),
});

const account = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/),
  // One key on one line: a type, the key, perhaps a comment.
  sshAuthorizedKeys: z.array(z.string().regex(/^\S[^\r\n]* [^\r\n]+$/)),
});

const proxy = z.strictObject({
  httpProxy: given.optional(),
  httpsProxy: given.optional(),
  noProxy: z.array(given).optional(),
});

/** A config of ours. */
export const writtenSchema = z.strictObject({
  ignition: z.strictObject({
    version: z.literal('3.2.0'),
    config: z.strictObject({ merge: z.array(named).optional() }).optional(),
    proxy: proxy.optional(),
    security: z
      .strictObject({ tls: z.strictObject({ certificateAuthorities: z.array(named).min(1) }) })
      .optional(),
  }),
  passwd: z.strictObject({ users: z.array(account).optional() }).optional(),
  storage: z
    .strictObject({
      files: z.array(file).optional(),
      directories: z
        .array(z.strictObject({ path, mode, user, overwrite: z.boolean().optional() }))
        .optional(),
    })
    .optional(),
  systemd: z.strictObject({ units: z.array(unit).optional() }).optional(),
});

/** The same type, all of it as it stays. */
type Kept<T> = T extends object ? { readonly [Key in keyof T]: Kept<T[Key]> } : T;

/** A config of ours, as its schema says it. */
export type WrittenConfig = Kept<z.output<typeof writtenSchema>>;
