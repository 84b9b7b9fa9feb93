import { z } from 'zod';

/*
 * Schema of the configs that this program writes. Stricter than the spec: no unknown fields, a single type per field, numbers in range.
 * foreign/spec-schema.ts describes user-supplied configs. Source: coreos.github.io/ignition/configuration-v3_2
 */

const source = z.string().regex(/^(data:|https:\/\/)/);
const named = z.strictObject({ source });

/** Contents of a file: embedded, or downloaded and verified by hash. */
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
/** Permission bits only: Ignition ignores setuid, setgid and sticky before spec 3.6. */
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
  // Either replaces the file or appends to the existing one.
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
  // One key per line: type, key, optional comment.
  sshAuthorizedKeys: z.array(z.string().regex(/^\S[^\r\n]* [^\r\n]+$/)),
});

const proxy = z.strictObject({
  httpProxy: given.optional(),
  httpsProxy: given.optional(),
  noProxy: z.array(given).optional(),
});

/** An encrypted device that is created again; its keys are bound to a TPM or to Tang servers. */
const luks = z.strictObject({
  name: given,
  label: given,
  device: path,
  clevis: z.strictObject({
    tpm2: z.literal(true).optional(),
    tang: z
      .array(z.strictObject({ url: z.string().regex(/^https?:\/\//), thumbprint: given }))
      .min(1)
      .optional(),
    threshold: z.int().min(1).optional(),
  }),
  options: z.array(given).min(1).optional(),
  wipeVolume: z.literal(true),
});

const filesystem = z.strictObject({
  device: path,
  format: z.literal('xfs'),
  label: given,
  wipeFilesystem: z.literal(true),
});

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
      luks: z.array(luks).optional(),
      filesystems: z.array(filesystem).optional(),
    })
    .optional(),
  systemd: z.strictObject({ units: z.array(unit).optional() }).optional(),
});

/** Recursively readonly. */
type Kept<T> = T extends object ? { readonly [Key in keyof T]: Kept<T[Key]> } : T;

export type WrittenConfig = Kept<z.output<typeof writtenSchema>>;
