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

const head = `# Single-node settings that install-config.yaml does not have. All fields except the first two are optional.
# To set a field, remove "# " from it and from its parent fields.
# \`sno-install explain FIELD\` describes each field; \`sno-install validate\` checks the file.
`;
