import type { FieldSchema } from '../formats/field-schema.js';
import { fleetFields } from './fleet-fields.generated.js';
import { installConfigFields } from './install-config-fields.generated.js';
import { schemaUrl } from './schema-url.js';
import { snoConfigFields } from './sno-config-fields.generated.js';

/** A JSON Schema as a document of its own, for editors. */
export interface JsonSchema extends FieldSchema {
  readonly $schema: string;
  /** Where it is found: a file of the published package, which never changes. */
  readonly $id: string;
  readonly title: string;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The shape of install-config.yaml as JSON Schema. Rules on values are not in it: `validate` checks those. */
export function installConfigJsonSchema(): JsonSchema {
  return published('install-config', installConfigFields);
}

/** The shape of sno-config.yaml as JSON Schema. */
export function snoConfigJsonSchema(): JsonSchema {
  return published('sno-config', snoConfigFields);
}

/** The shape of fleet.yaml as JSON Schema. */
export function fleetJsonSchema(): JsonSchema {
  return published('fleet', fleetFields);
}

function published(format: string, fields: FieldSchema): JsonSchema {
  return { $schema: dialect, $id: schemaUrl(format), title: `${format}.yaml of sno-install`, ...fields };
}

/** A list of schemas as the schema store and editors take it. Source: json.schemastore.org/schema-catalog.json */
export interface SchemaCatalog {
  readonly $schema: string;
  readonly version: number;
  readonly schemas: readonly {
    readonly name: string;
    readonly description: string;
    readonly fileMatch: readonly string[];
    readonly url: string;
  }[];
}

/** The entry of this program. The other files have names that other programs use too: these say their schema in a first line. */
export function schemaCatalog(): SchemaCatalog {
  return {
    $schema: 'https://json.schemastore.org/schema-catalog.json',
    version: 1,
    schemas: [
      {
        name: 'sno-config.yaml',
        description: 'What the node of a single-node OpenShift cluster needs, for sno-install',
        fileMatch: ['sno-config.yaml'],
        url: schemaUrl('sno-config'),
      },
    ],
  };
}
