import { commentedFields } from './schema/commented-fields.js';
import { schemaModeline } from './schema/schema-url.js';
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { SnoConfigInput } from './schema/sno-config-schema.js';
import type { Draft } from '../formats/field-schema.js';

/**
 * A sno-config.yaml with every field of the schema and its description. Given fields are set; all others are commented out, so
 * the file alone changes nothing. Given values are not validated here.
 */
export function commentedSnoConfig(given: Draft<SnoConfigInput>): string {
  return `${schemaModeline('sno-config')}\n${head}\n${commentedFields(snoConfigFields, given)}`;
}

const head = `# What this node needs and install-config.yaml cannot say. Every field but the first two may stay a comment.
# To set one, take "# " away before it and before the fields that it stands in.
# \`sno-install explain FIELD\` says more of each field; \`sno-install validate\` checks the whole.
`;
