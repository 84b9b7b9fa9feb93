import type { SiteWait } from '../../cluster/many/wait-for-sites.js';
import type { HeardSite } from '../../serving/api-words/keep-api-words.js';

/** A site as what its API said last is kept. */
export function heardSite({ name, word, heardAt, ending }: SiteWait): HeardSite {
  const heard = { name, ...(heardAt && { heardAt }) };
  if (ending?.kind === 'reached') {
    const { version } = ending.facts;
    return { ...heard, state: 'reached', ...(version !== undefined && { said: version }) };
  }
  const said = ending?.kind === 'failed' ? ending.problems[0]?.message : word;
  const state = ending?.kind === 'failed' ? 'not-reached' : 'waiting';
  return { ...heard, state, ...(said !== undefined && { said }) };
}
