import { findConfig, type SiteFolder } from '../site-folders.js';
import type { SiteConfigs } from '../site-configs.js';
import { FileChanged } from '../answers/served-file.js';
import type { BaseIso } from './base-iso.js';
import { isExpected, type ExpectedPayload } from './base-payload.js';
import type { JudgedPayload } from './payload-warnings.js';
import { payloadNamedIn, payloadStatus } from './site-media.js';

/** The payloads that the live configs in folders name. */
export interface SitePayloads {
  /** Reads the configs of sites. Sites whose config cannot be read are left out: their media report why. */
  readonly judge: (sites: readonly SiteFolder[]) => Promise<readonly JudgedPayload[]>;
  /** The payload of a site in words; undefined without one, and while a new config is read. */
  readonly of: (site: SiteFolder) => string | undefined;
}

interface Known {
  readonly mark: string;
  readonly wanted?: ExpectedPayload;
}

export function sitePayloads(stock: Pick<BaseIso, 'payload'>, configs: SiteConfigs): SitePayloads {
  const known = new Map<string, Known>();
  const read = async (site: SiteFolder): Promise<Known | undefined> => {
    const mark = findConfig(site.dir)?.mark;
    if (mark === undefined) return undefined;
    // A second call while the first one reads does nothing.
    known.set(site.dir, { mark });
    const wanted = await wantedOf(site, configs);
    if (wanted === 'unreadable') return undefined;
    const now = { mark, ...(wanted && { wanted }) };
    known.set(site.dir, now);
    return now;
  };
  return {
    judge: async (sites) => {
      const judged: JudgedPayload[] = [];
      for (const site of sites) {
        const found = await read(site);
        if (found !== undefined) judged.push({ site: site.name, kind: kindOf(found.wanted, stock) });
      }
      return judged;
    },
    of: (site) => {
      const mark = findConfig(site.dir)?.mark;
      if (mark === undefined) return undefined;
      const found = known.get(site.dir);
      if (found?.mark !== mark) {
        void read(site);
        return undefined;
      }
      return found.wanted && payloadStatus(found.wanted, stock);
    },
  };
}

async function wantedOf(
  site: SiteFolder,
  configs: SiteConfigs,
): Promise<ExpectedPayload | undefined | 'unreadable'> {
  try {
    const found = await configs.find(site);
    const config = found.ok ? await found.value.read() : found;
    return config.ok ? payloadNamedIn(config.value) : 'unreadable';
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error;
    return 'unreadable';
  }
}

function kindOf(
  wanted: ExpectedPayload | undefined,
  { payload }: Pick<BaseIso, 'payload'>,
): JudgedPayload['kind'] {
  if (wanted === undefined) return payload === undefined ? 'none' : 'not-named';
  if (payload === undefined) return 'not-served';
  return isExpected(payload, wanted) ? 'served' : 'other';
}
