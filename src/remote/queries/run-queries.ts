import type { PreflightCheck } from '../preflight/answers.js';
import { judgeName, judgeReverse } from '../preflight/judge-names.js';
import { judgePulls, type PullPlaceAnswer } from '../preflight/judge-pulls.js';
import { judgeTime } from '../preflight/judge-time.js';
import type { PlannedImage, PreflightFacts } from '../preflight/plan.js';
import { planOf } from '../preflight/plan.js';
import { credentialsFor } from '../preflight/pull-credentials.js';
import { signatureTag } from '../../release/image-policy.js';
import { queryManifest } from './query-manifest.js';
import { nameServers, type NameServers } from './name-servers.js';
import { queryTime } from './query-time.js';
import { trustWith, type ConnectionSettings } from '../http/connection.js';
import { proxyFor, shownProxy } from '../http/proxy.js';

/** Options of `runQueries`. */
export interface QueryOptions {
  /** Addresses of name servers, with or without ports. Empty: those of this machine. */
  readonly dnsServers: readonly string[];
  /** Timeout of each request. */
  readonly timeoutMs: number;
  readonly present: () => Date;
}

/** Runs all checks of a preflight in parallel and evaluates the responses; returns them in the order of the plan. */
export async function runQueries(
  facts: PreflightFacts,
  options: QueryOptions,
): Promise<readonly PreflightCheck[]> {
  const { install, sno, proxy } = facts;
  const { timeoutMs, present } = options;
  const { names, reverse, images, timeServers } = planOf(facts);
  const servers = nameServers(options.dnsServers, timeoutMs);
  const way = { proxy, lookup: servers.lookup, trust: trustWith(install.additionalTrustBundle) };
  const pullSecret = install.pullSecret.reveal();
  const [ofNames, ofReverse, ofImages, ofTime] = await Promise.all([
    Promise.all(names.map(async (name) => judgeName(name, await servers.askName(name.queried), facts))),
    reverse === undefined ? [] : queryReverse(reverse, servers, facts),
    Promise.all(images.map((image) => queryImage(image, { way, pullSecret, timeoutMs }))),
    Promise.all(
      timeServers.map(async (server) => ({
        server,
        answer: await queryTime(server, { lookup: servers.lookup, present, timeoutMs }),
      })),
    ),
  ]);
  return [
    ...ofNames,
    ...ofReverse,
    ...ofImages.flat(),
    ...judgeTime(ofTime, sno.certificates.backdateSeconds),
  ];
}

async function queryReverse(
  address: string,
  servers: NameServers,
  facts: PreflightFacts,
): Promise<readonly PreflightCheck[]> {
  return [judgeReverse(address, await servers.askReverse(address), facts)];
}

interface ImageQuery {
  readonly way: ConnectionSettings;
  readonly pullSecret: string;
  readonly timeoutMs: number;
}

/**
 * Looks up an image at all its places, and its signature where the image is and needs one.
 * @internal
 */
export async function queryImage(
  image: PlannedImage,
  { way, pullSecret, timeoutMs }: ImageQuery,
): Promise<readonly PreflightCheck[]> {
  const answers = image.places.map(async (place): Promise<PullPlaceAnswer> => {
    const credentials = credentialsFor(pullSecret, place.repository);
    const via = shownProxy(proxyFor(new URL(`https://${place.registry}`), way.proxy));
    const query = { way, credentials, timeoutMs };
    const answer = await queryManifest(place, query);
    // Of a list, each image has its own signature.
    if (!image.needsSignature || answer.kind !== 'found' || answer.isList === true)
      return { place, via, answer };
    const tag = signatureTag(answer.digest);
    const signature = await queryManifest({ ...place, reference: tag, digest: undefined }, query);
    return { place, via, answer, signature: { tag, answer: signature } };
  });
  return judgePulls(image, await Promise.all(answers));
}
