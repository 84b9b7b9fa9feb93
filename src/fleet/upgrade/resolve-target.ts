import { availableParallelism } from 'node:os';

import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { singleNodeNetworkFacts } from '../../assets/preflight/network-facts.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { noAccess } from '../../disk/state/state-access.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { filesOf, siteSourcesOf } from '../table/check-site-files.js';
import { siteRunRequest } from '../build/build-site.js';
import { neededStdin } from '../build/fleet-options.js';
import { siteProblems } from '../table/site-problems.js';
import type { ShowProgress } from '../table/site-progress.js';
import { secretAccess, withSecrets } from '../table/site-secrets.js';
import { targetRelease } from './read-target.js';
import type { NetworkFacts } from '../../assets/preflight/network-facts.js';
import type { ImageReference } from '../../formats/image-reference.js';
import type { PullAnswer } from '../../remote/preflight/answers.js';
import { credentialsFor } from '../../remote/preflight/pull-credentials.js';
import type { TargetRelease } from '../../remote/kubernetes/upgrade/cluster-version.js';
import { look } from '../../run/run.js';
import { siteOptions } from '../build/fleet-request.js';

const queryTimeoutMs = 30_000;

interface FleetAccess {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly allowCommands?: true;
  readonly surroundings: Surroundings;
  readonly showProgress: ShowProgress;
}

/**
 * The release of `--to` by digest. A tag is resolved with the pull secret, authorities and proxy of the first selected site.
 * Problems: upgrade/release, those of the site's configs.
 */
export async function resolveTarget(
  options: FleetAccess,
  opened: LoadedFleet,
  reference: ImageReference,
): Promise<Result<TargetRelease>> {
  if (reference.digest !== undefined) return success(targetRelease(reference, reference.digest));
  const facts = await factsOfFirstSite(options, opened);
  if (!facts.ok) return facts;
  const answer = await queryTag(reference, facts.value);
  return answer.kind === 'found'
    ? success(targetRelease(reference, answer.digest))
    : failure(notResolved(answer));
}

async function factsOfFirstSite(options: FleetAccess, given: LoadedFleet): Promise<Result<NetworkFacts>> {
  const first = { ...given, rows: given.rows.slice(0, 1) };
  const opened = await withSecrets(first, {
    ...secretAccess(options, options.showProgress),
    jobs: availableParallelism(),
  });
  const [row] = opened.rows;
  if (row === undefined) throw new Error('internal error: no site is selected');
  const keys = { identities: [], passphrases: [] };
  const order = siteOptions(options, opened, {
    keys,
    ...neededStdin(opened, options.surroundings.stdin),
  });
  const site = filesOf(opened, row);
  const request = siteRunRequest(
    { ...order, recordKey: '' },
    { row: withFleetVariables(row, opened.fleet), site, access: noAccess, templates: ownTemplates() },
    () => {
      throw new Error('internal error: nothing is written');
    },
  );
  const facts = await look({ ...request, isStateOptional: true }, singleNodeNetworkFacts);
  return facts.ok ? facts : failure(...siteProblems(site, facts.problems, siteSourcesOf(opened).known));
}

async function queryTag(
  { registry, repository, tag = '' }: ImageReference,
  facts: NetworkFacts,
): Promise<PullAnswer> {
  const { queryManifest } = await import('../../remote/queries/query-manifest.js');
  const { nameServers } = await import('../../remote/queries/name-servers.js');
  const { trustWith } = await import('../../remote/http/connection.js');
  const place = { registry, repository, reference: tag, digest: undefined, isMirror: false };
  return queryManifest(place, {
    way: {
      proxy: facts.proxy,
      lookup: nameServers([], queryTimeoutMs).lookup,
      trust: trustWith(facts.install.additionalTrustBundle),
    },
    credentials: credentialsFor(facts.install.pullSecret.reveal(), repository),
    timeoutMs: queryTimeoutMs,
  });
}

function notResolved(answer: Exclude<PullAnswer, { kind: 'found' }>): Problem {
  const reason = 'reason' in answer ? answer.reason : 'the registry does not have this tag';
  const hint = 'write the digest too: REPOSITORY:TAG@sha256:…, as `oc adm release info` prints it';
  return problem('upgrade/release', `the tag of --to cannot be resolved: ${reason}`, { hint });
}
