import { join } from 'node:path';

import {
  aioBootWindow,
  clientPairs,
  ownSigners,
  rotatorPairs,
} from '../../../src/assets/aio/certificates.js';
import { aioControlPlane } from '../../../src/assets/aio/control-plane.js';
import { aioIgnition } from '../../../src/assets/aio/ignition.js';
import { aioKubeconfig, aioMetadata } from '../../../src/assets/aio/kubeconfig-and-metadata.js';
import type { Result } from '../../../src/core/result.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import { resolve, type Resolved } from '../../../src/graph/engine.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { testContext, testNow } from '../../support/context.js';
import { readTree } from '../../support/read-tree.js';
import { expectOk } from '../../support/sound-value.js';

/** The results of a fixture. */
export interface Made {
  readonly resolved: Resolved;
  readonly config: IgnitionConfig;
  /** Contents by path of all files except those that the node downloads. */
  readonly texts: Readonly<Record<string, string>>;
}

const roots = [
  aioIgnition,
  aioKubeconfig,
  aioMetadata,
  aioControlPlane,
  aioBootWindow,
  clientPairs,
  rotatorPairs,
  ownSigners,
];

/** Resolves a fixture; `files` replaces some of its files. */
export function make(
  fixture: string,
  files: Readonly<Record<string, string>> = {},
  now: Date = testNow,
): Promise<Result<Resolved>> {
  const all = { ...readTree(join('fixtures/configs', fixture)), ...files };
  return resolve(roots, testContext({ files: all, now }));
}

export async function made(
  fixture: string,
  files: Readonly<Record<string, string>> = {},
  now: Date = testNow,
): Promise<Made> {
  const resolved = expectOk(await make(fixture, files, now));
  const config = JSON.parse(resolved.valueOf(aioIgnition).text) as IgnitionConfig;
  const entries = (config.storage?.files ?? []).flatMap(({ path, contents, append }) => {
    const bytes = decodeDataUrl((contents ?? append?.[0])?.source ?? '');
    return bytes === undefined ? [] : [[path, bytes.toString('utf8')] as const];
  });
  return { resolved, config, texts: Object.fromEntries(entries) };
}
