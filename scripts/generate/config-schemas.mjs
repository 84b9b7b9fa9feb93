// The published JSON Schemas of the configs. The program imports them as `#schemas/NAME` (package.json, "imports").
import { z } from 'zod';

/** Keywords that neither editors nor `applySchema` need. */
const left = new Set(['$schema', 'propertyNames']);

/** The texts of docs/*.schema.json by path, generated from zod schemas by name. `urlOf` returns the published URL of a name. */
export function configSchemas(schemas, urlOf) {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { title, ...fields } = JSON.parse(
        JSON.stringify(z.toJSONSchema(schema), (key, value) => (left.has(key) ? undefined : value)),
      );
      const $schema = 'https://json-schema.org/draft/2020-12/schema';
      const document = { $schema, $id: urlOf(name), title, ...fields };
      return [`docs/${name}.schema.json`, `${JSON.stringify(document, null, 2)}\n`];
    }),
  );
}
