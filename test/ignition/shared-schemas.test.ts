import { expect, it } from 'vitest';

import { compileSchema } from '../../src/formats/json-schema.js';
import { pointerConfig } from '../../src/ignition/pointer.js';
import { serializeConfig } from '../../src/ignition/serialize.js';
import { describeWithSchemas, schemaVersions, upstreamSchema } from '../support/upstream-schemas.js';
import { sampleConfig } from './sample-config.js';

describeWithSchemas('the schemas that Ignition publishes', () => {
  const configs = [
    { name: 'a config with one of everything', config: sampleConfig() },
    {
      name: 'a pointer',
      config: pointerConfig('https://api-int.sno.example.com:22623/config/worker', 'CA\n'),
    },
  ];
  const cases = schemaVersions.flatMap((version) => configs.map((each) => ({ ...each, version })));

  it.each(cases)('take $name in version $version', async ({ version, config }) => {
    const check = await compileSchema(upstreamSchema(version));
    expect(check(JSON.parse(serializeConfig(config)))).toEqual([]);
  });

  it.each(schemaVersions.map((version) => ({ version })))(
    'refuse a mode that is text in version $version',
    async ({ version }) => {
      const check = await compileSchema(upstreamSchema(version));
      const config = { ignition: { version: '3.2.0' }, storage: { files: [{ path: '/a', mode: '0600' }] } };
      expect(check(config)).toEqual([{ pointer: '/storage/files/0/mode', rule: 'must be integer,null' }]);
    },
  );
});
