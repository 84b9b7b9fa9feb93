import type { Answered } from '../preflight/answers.js';
import { judgeName, judgeReverse } from '../preflight/judge-names.js';
import { judgePulls, type AskedPlace } from '../preflight/judge-pulls.js';
import { judgeTime } from '../preflight/judge-time.js';
import type { PlannedImage, PreflightFacts } from '../preflight/plan.js';
import { planOf } from '../preflight/plan.js';
import { credentialsFor } from '../preflight/pull-credentials.js';
import { askManifest } from './manifest-question.js';
import { nameServers, type NameServers } from './name-question.js';
import { askTime } from './time-question.js';
import { proxyFor, shownProxy, trustWith, type WayToRegistries } from './way-to-registries.js';

/** Options of `askEverything`. */
export interface AskingOptions {
  /** Addresses of name servers, with or without ports. Empty: those of this machine. */
  readonly dnsServers: readonly string[];
  /** Timeout of each request. */
  readonly timeoutMs: number;
  readonly present: () => Date;
}

/** Runs all checks of a preflight in parallel and evaluates the responses; returns them in the order of the plan. */
export async function askEverything(
  facts: PreflightFacts,
  options: AskingOptions,
): Promise<readonly Answered[]> {
  const { install, sno, proxy } = facts;
  const { timeoutMs, present } = options;
  const { names, reverse, images, timeServers } = planOf(facts);
  const servers = nameServers(options.dnsServers, timeoutMs);
  const way = { proxy, lookup: servers.lookup, trust: trustWith(install.additionalTrustBundle) };
  const pullSecret = install.pullSecret.reveal();
  const [ofNames, ofReverse, ofImages, ofTime] = await Promise.all([
    Promise.all(names.map(async (name) => judgeName(name, await servers.askName(name.asked), facts))),
    reverse === undefined ? [] : askReverse(reverse, servers, facts),
    Promise.all(images.map((image) => askImage(image, { way, pullSecret, timeoutMs }))),
    Promise.all(
      timeServers.map(async (server) => ({
        server,
        answer: await askTime(server, { lookup: servers.lookup, present, timeoutMs }),
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

async function askReverse(
  address: string,
  servers: NameServers,
  facts: PreflightFacts,
): Promise<readonly Answered[]> {
  return [judgeReverse(address, await servers.askReverse(address), facts)];
}

interface ImageAsking {
  readonly way: WayToRegistries;
  readonly pullSecret: string;
  readonly timeoutMs: number;
}

async function askImage(
  image: PlannedImage,
  { way, pullSecret, timeoutMs }: ImageAsking,
): Promise<readonly Answered[]> {
  const asked = image.places.map(async (place): Promise<AskedPlace> => {
    const credentials = credentialsFor(pullSecret, place.repository);
    const via = shownProxy(proxyFor(new URL(`https://${place.registry}`), way.proxy));
    return { place, via, answer: await askManifest(place, { way, credentials, timeoutMs }) };
  });
  return judgePulls(image, await Promise.all(asked));
}
