import { schemaUrl } from '../../.cache/modules/config/schema/schema-url.js';

/**
 * docs/schema-catalog.json: this program's entry for schema stores and editors. It only matches file names that no other program
 * uses; the other files name their schema in the first line. Source: json.schemastore.org/schema-catalog.json
 */
export function schemaCatalogDocument() {
  const catalog = {
    $schema: 'https://json.schemastore.org/schema-catalog.json',
    version: 1,
    schemas: [
      {
        name: 'sno-config.yaml',
        description: 'Settings of sno-install for the node of a single-node OpenShift cluster',
        fileMatch: ['sno-config.yaml'],
        url: schemaUrl('sno-config'),
      },
    ],
  };
  return `${JSON.stringify(catalog, null, 2)}\n`;
}
