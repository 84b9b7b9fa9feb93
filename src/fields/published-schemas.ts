import type { FieldSchema } from '../formats/field-schema.js';
import { fleetFields } from './fleet-fields.generated.js';
import { installConfigFields } from './install-config-fields.generated.js';
import { snoConfigFields } from './sno-config-fields.generated.js';

/** A JSON Schema as a document of its own, for editors. */
export interface JsonSchema extends FieldSchema {
  readonly $schema: string;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The shape of install-config.yaml as JSON Schema. Rules on values are not in it: `validate` checks those. */
export function installConfigJsonSchema(): JsonSchema {
  return { $schema: dialect, ...installConfigFields };
}

/** The shape of sno-config.yaml as JSON Schema. */
export function snoConfigJsonSchema(): JsonSchema {
  return { $schema: dialect, ...snoConfigFields };
}

/** The shape of fleet.yaml as JSON Schema. */
export function fleetJsonSchema(): JsonSchema {
  return { $schema: dialect, ...fleetFields };
}
