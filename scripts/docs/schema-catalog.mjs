import { schemaUrl } from '../../.cache/modules/config/schema/schema-url.js';

/**
 * docs/schema-catalog.json: the entry of this program for schema stores and editors. The other files have names that other programs use
 * too; their first line names their schema. Source: json.schemastore.org/schema-catalog.json
 */
export function schemaCatalogDocument() {
  const catalog = {
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
  return `${JSON.stringify(catalog, null, 2)}\n`;
}
