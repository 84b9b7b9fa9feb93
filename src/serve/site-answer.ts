import { ipxeScript } from '../media/pxe-scripts.js';
import type { FastifyReply } from 'fastify';

import { problem, type Problem } from '../core/problem.js';
import { rfc3339 } from '../core/rfc3339.js';

import { netbootUrl, siteUrl, type SiteFileName } from './media-urls.js';
import { answerFault } from './answers/faults.js';
import { notFound, refusedAnswer, sendFile, type Exchange } from './answers/send-file.js';
import { FileChanged, servedBytes, type ServedFile } from './answers/served-file.js';
import type { OneDownload } from './one-download.js';
import type { ServerOptions } from './server-options.js';
import type { ServedSite } from './site-catalogue.js';
import type { SiteMedia } from './media/site-media.js';

export interface SiteRequest {
  readonly token: string;
  readonly site: ServedSite;
  readonly name: SiteFileName;
}

/**
 * Answers a request with a valid token. If the medium cannot be created, the problem goes to the operator and the machine gets a
 * 404.
 */
export async function answerSite(
  order: ServerOptions,
  { token, site, name }: SiteRequest,
  exchange: Exchange & { readonly once?: OneDownload },
): Promise<FastifyReply> {
  const { media, sites, visits, now, onProblems } = order;
  const { reply } = exchange;
  const made = await media.of(site);
  if (!made.ok) {
    onProblems(made.problems, site.name);
    return notFound(reply);
  }
  const refusal = await refusalOf(order, site, made.value);
  if (refusal !== undefined) {
    onProblems([refusedMedium(site, refusal.words)], site.name);
    return refusedAnswer(reply, refusal);
  }
  const file = await fileOf(order, made.value, { token, site, name });
  if (file === undefined) return notFound(reply);
  if (name === 'boot.ipxe' && made.value.payloadName !== undefined)
    onProblems([notInNetworkBoot(site, made.value.payloadName)], site.name);
  visits.onRequest(site.name, name, now());
  const followed = name === 'boot.ipxe' ? undefined : exchange.once?.follow(exchange, { site, name, file });
  return sendFile(file, exchange, {
    // A token may be revoked, or used up by another download, during this response.
    mayGoOn: async (piece) => {
      await followed?.turn(piece);
      await sites.refresh(now());
      return sites.find(token) !== undefined;
    },
    onPiece: (piece) => {
      followed?.onPiece(piece);
      if (name === 'live.iso') visits.onPiece(site.name, piece, file);
    },
    onFault: (error) => {
      onProblems(answerFault(error), site.name);
    },
  });
}

interface Refusal {
  readonly status: 409 | 410;
  readonly words: string;
}

/** Why a medium must not be booted now: its certificates have expired, or the fleet has changed since. */
async function refusalOf(
  { outdated, refusesOutdated = false, now }: ServerOptions,
  site: ServedSite,
  { bootableUntil }: SiteMedia,
): Promise<Refusal | undefined> {
  if (bootableUntil !== undefined && bootableUntil <= now())
    return { status: 410, words: `its certificates expired at ${rfc3339(bootableUntil)}` };
  if (!refusesOutdated || outdated === undefined) return undefined;
  await outdated.refresh();
  const words = outdated.of(site);
  return words === undefined ? undefined : { status: 409, words: `it is ${words}` };
}

function refusedMedium({ name }: ServedSite, words: string): Problem {
  const hint = `run \`sno-install fleet create --only ${name}\`, which keeps the keys, or \`create\`; with --renew for new certificates`;
  return problem('media/serve-outdated', `the medium of ${name} is refused: ${words}`, { hint });
}

/** A machine that boots by network, of a site with a payload. Warnings: payload/not-on-medium. */
function notInNetworkBoot({ name }: ServedSite, payload: string): Problem {
  const message = `${name} boots by network, and installs from ${payload}, which a network boot does not contain`;
  const hint =
    'without a disk or USB stick that contains it (`sno-install payload write`), the installation stops; or boot live.iso';
  return problem('payload/not-on-medium', message, { hint });
}

/** Returns undefined if there is no such file, or if the config changed meanwhile; the next request finds the new config. */
async function fileOf(
  { stock, url, kernelArguments }: ServerOptions,
  media: SiteMedia,
  { token, name }: SiteRequest,
): Promise<ServedFile | undefined> {
  switch (name) {
    case 'live.iso':
      return media.iso;
    case 'boot.ipxe': {
      if (!['vmlinuz', 'initrd.img', 'rootfs.img'].every((each) => stock.netboot.has(each))) return undefined;
      const sources = {
        kernel: netbootUrl(url, stock.id, 'vmlinuz'),
        initrd: netbootUrl(url, stock.id, 'initrd.img'),
        rootfs: netbootUrl(url, stock.id, 'rootfs.img'),
        overlay: siteUrl(url, token, 'single-node-initrd.img'),
      };
      const script = { added: kernelArguments, hasPayload: media.payloadName !== undefined };
      return servedBytes(Buffer.from(ipxeScript(sources, script)), 'text/plain; charset=utf-8');
    }
    case 'single-node-initrd.img':
      try {
        return await media.overlay();
      } catch (error) {
        if (error instanceof FileChanged) return undefined;
        throw error;
      }
  }
}
