import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import type { OutputFile } from '../../../src/core/output-file.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { goldenOutputs } from '../../../src/run/dry-run-outputs.js';
import { testContext } from '../../support/context.js';
import type { Output } from '../driver/judges.js';

/**
 * The outputs of `create` for accepted files, with placeholder keys: every Ignition config and every YAML file in it. Empty if
 * `create` rejects the files.
 */
export async function madeOutputs(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<readonly Output[]> {
  const { inputs } = testContext({ files });
  const made = await goldenOutputs({
    target: 'single-node-ignition-config',
    inputs,
    templates: templatesFrom('templates'),
  });
  return made.ok ? made.value.filter(({ path }) => path.endsWith('.ign')).flatMap(outputsOf) : [];
}

function outputsOf({ contents }: OutputFile): readonly Output[] {
  const text = Buffer.from(contents).toString('utf8');
  const { storage } = JSON.parse(text) as IgnitionConfig;
  const manifests = (storage?.files ?? []).filter(({ path }) => /\.ya?ml$/.test(path));
  return [
    { judge: 'ignition-validate', text },
    { judge: 'systemd', text },
    ...manifests.flatMap(({ contents: inside }): readonly Output[] => {
      const yaml = inside && decodeDataUrl(inside.source)?.toString('utf8');
      return yaml === undefined ? [] : [{ judge: 'go-yaml', text: yaml }];
    }),
  ];
}
