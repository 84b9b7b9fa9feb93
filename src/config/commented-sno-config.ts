import { commentedFields } from './schema/commented-fields.js';
import { schemaModeline } from './schema/schema-url.js';
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { SnoConfigInput } from './schema/sno-config-schema.js';
import type { Draft } from '../formats/field-schema.js';

/**
 * A sno-config.yaml with every field that there is, each below what the schema says of it. What is given is set and all else a
 * comment, so that nothing changes by the file alone. Whether what is given is sound is for the rules to say.
 */
export function commentedSnoConfig(given: Draft<SnoConfigInput>): string {
  return `${schemaModeline('sno-config')}\n${head}\n${commentedFields(snoConfigFields, given)}`;
}

const head = `# What this node needs and install-config.yaml cannot say. Every field but the first two may stay a comment.
# To set one, take "# " away before it and before the fields that it stands in.
# \`sno-install explain FIELD\` says more of each field; \`sno-install validate\` checks the whole.
`;
