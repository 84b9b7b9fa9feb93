// Writes docs/*.schema.json of the configs and the generated modules of src/ from the zod schemas and the problem catalog: loading
// and compiling those at run time would take longer than the rest of a warm run. scripts/flag-tables, which needs Go, generates the
// tables of flags. Needs a build. Tests compare the committed files with the output of this script.
import { writeFileSync } from 'node:fs';

import { problemCatalog } from '../.cache/modules/core/problem-codes/catalog.js';
import { fleetSchema } from '../.cache/modules/config/schema/fleet-schema.js';
import { installConfigSchema } from '../.cache/modules/config/schema/install-config-schema.js';
import { payloadManifestSchema, payloadSchema } from '../.cache/modules/config/schema/payload-schema.js';
import { rolloutSchema } from '../.cache/modules/config/schema/rollout-schema.js';
import { schemaUrl } from '../.cache/modules/config/schema/schema-url.js';
import { snoConfigSchema } from '../.cache/modules/config/schema/sno-config-schema.js';
import { schemaModule } from '../.cache/modules/formats/json-schema.js';
import { specSchema } from '../.cache/modules/ignition/foreign/spec-schema.js';
import { writtenSchema } from '../.cache/modules/ignition/written-schema.js';
import { configSchemas } from './generate/config-schemas.mjs';
import { specModules } from './generate/spec-modules.mjs';
import { warningModule } from './generate/warning-module.mjs';

const modules = {
  ...configSchemas(
    {
      'install-config': installConfigSchema,
      'sno-config': snoConfigSchema,
      fleet: fleetSchema,
      rollout: rolloutSchema,
      payload: payloadSchema,
      'payload-manifest': payloadManifestSchema,
    },
    schemaUrl,
  ),
  ...(await warningModule(problemCatalog)),
  ...(await specModules({ specSchema, writtenSchema }, schemaModule)),
};

for (const [path, text] of Object.entries(modules)) writeFileSync(path, text);
