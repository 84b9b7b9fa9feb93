import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { rfc3339 } from '../../core/rfc3339.js';
import type { LiveSites } from '../live-sites.js';
import { parseReport } from './node-report.js';
import type { ReportSenders } from './report-senders.js';
import type { SiteReports } from './site-reports.js';

export interface ReportOptions {
  readonly senders: ReportSenders;
  readonly reports: SiteReports;
  /** Called with the name of the site that reported. */
  readonly onReport: (site: string) => void;
}

/** Twice the largest report that a node sends. */
const maxReportBytes = 16 * 1024;

/** Adds the route that receives node reports. The bearer token identifies the site; without a valid token the answer is 401. */
export function addReportRoute(
  app: FastifyInstance,
  { sites, now }: { readonly sites: Pick<LiveSites, 'refresh'>; readonly now: () => Date },
  { senders, reports, onReport }: ReportOptions,
  note: (request: FastifyRequest, what: string) => void,
): void {
  const senderOf = new WeakMap<FastifyRequest, string>();
  app.post(
    '/report',
    {
      bodyLimit: maxReportBytes,
      onRequest: async (request, reply) => {
        const [, token = ''] = /^Bearer (\S{1,100})$/.exec(request.headers.authorization ?? '') ?? [];
        await sites.refresh(now());
        const site = await senders.find(token, now());
        if (site === undefined)
          return answer(reply.header('www-authenticate', 'Bearer'), 401, 'unauthorized');
        senderOf.set(request, site);
        note(request, `${site}/report`);
        return undefined;
      },
    },
    (request, reply) => {
      const [site, report] = [senderOf.get(request), parseReport(request.body, now())];
      if (site === undefined || report === undefined) return answer(reply, 400, 'not a report');
      reports.put(site, { ...report, receivedAt: rfc3339(now()) });
      onReport(site);
      return reply.code(204).send();
    },
  );
}

function answer(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain').send(`${text}\n`);
}
