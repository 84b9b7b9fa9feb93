import { problemsOf } from '../../../src/core/result.js';
import { isError } from '../../../src/core/problem.js';
import { importOneSite, type SourceKind } from '../../../src/import/sources.js';
import { testContext } from '../../support/context.js';
import { readTree } from '../../support/read-tree.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';
import { canaries, strayLines } from './planted.js';
import { shownProblems } from './shown-problems.js';

/** Settings that these sources do not contain. */
const overrides = { installationDisk: '/dev/disk/by-id/a', pullSecret: { reference: '../pull-secret.json' } };

function importTarget(kind: SourceKind, folder: string, file: string): Target {
  const files = readTree(folder);
  return {
    name: kind,
    form: 'yaml',
    canaries,
    seeds: () => [
      files[file] ?? '',
      ...strayLines.map((line) => `${files[file] ?? ''}${line}\n`),
      ...keptInputs(kind),
    ],
    run: (input) => {
      const { inputs } = testContext({ files: { ...files, [file]: input } });
      const site = importOneSite(kind, { inputs, path: kind === 'cluster-instance' ? file : '.' }, overrides);
      const problems = site.ok ? [...site.warnings, ...site.value.problems] : problemsOf(site);
      const texts = { [file]: input.toString('utf8') };
      return { isAccepted: site.ok && !problems.some(isError), shown: shownProblems(problems, texts) };
    },
  };
}

/** agent-config.yaml with an install-config.yaml. */
export const agentConfig = importTarget('agent-config', 'fixtures/import/agent', 'agent-config.yaml');

/** A ClusterInstance with its resources. */
export const clusterInstance = importTarget('cluster-instance', 'fixtures/import/ztp', 'site1.yaml');
