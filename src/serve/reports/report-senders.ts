import { decodeDataUrl } from '../../formats/data-url.js';
import { parseJson } from '../../formats/json.js';
import { listAt, textAt } from '../../kube/fields.js';
import { reportTokenForm, reportTokenPath } from '../../config/report/report-files.js';
import { FileChanged } from '../answers/served-file.js';
import type { SiteConfig, SiteConfigs } from '../site-configs.js';
import type { SiteFolder } from '../site-folders.js';
import { tokenTable, type TokenTable } from '../tokens/tokens.js';

/** Maps report tokens to sites. */
export interface ReportSenders {
  /** Returns the name of the site whose current config contains the token. */
  find(token: string, now: Date): Promise<string | undefined>;
}

/** A config and its token when it was last read. */
interface Read {
  readonly site: SiteFolder;
  readonly mark: string;
  readonly token?: string;
}

/** Limits how often unknown tokens cause a new read of the configs. */
const lookEveryMs = 5000;

/**
 * Reads the report tokens from the configs of sites. Reads each config once per change, and only when an unknown token arrives.
 */
export function reportSenders(sites: () => readonly SiteFolder[], configs: SiteConfigs): ReportSenders {
  let [read, table]: [readonly Read[], TokenTable<Read>] = [[], tokenTable<Read>([])];
  let [lookedAt, underWay]: [number, Promise<void> | undefined] = [Number.NEGATIVE_INFINITY, undefined];
  const look = async (): Promise<void> => {
    const before = new Map(read.map((each) => [each.site.dir, each]));
    const next: Read[] = [];
    for (const site of sites()) {
      const [config, known] = [await configs.find(site), before.get(site.dir)];
      if (!config.ok) continue;
      const { mark } = config.value;
      next.push(known?.mark === mark ? known : { site, mark, ...(await tokenIn(config.value)) });
    }
    read = next;
    table = tokenTable(
      next.flatMap((each) => (each.token === undefined ? [] : [[each.token, each] as const])),
    );
  };
  const known = async (token: string): Promise<string | undefined> => {
    const found = table.find(token);
    const config = found && (await configs.find(found.site));
    return config?.ok === true && config.value.mark === found?.mark ? found.site.name : undefined;
  };
  return {
    find: async (token, now) => {
      if (!tokenPattern.test(token)) return undefined;
      const name = await known(token);
      if (name !== undefined) return name;
      if (underWay === undefined) {
        if (now.getTime() - lookedAt < lookEveryMs) return undefined;
        lookedAt = now.getTime();
        underWay = look().finally(() => {
          underWay = undefined;
        });
      }
      await underWay;
      return known(token);
    },
  };
}

const tokenPattern = new RegExp(`^[${reportTokenForm.alphabet}]{${reportTokenForm.length}}$`);

/** Returns no token if the config cannot be read. The download of the medium reports that problem. */
async function tokenIn(config: SiteConfig): Promise<{ readonly token?: string }> {
  const opened = await config.read().catch(ifChanged);
  if (opened?.ok !== true) return {};
  const files = listAt(parseJson(opened.value.toString('utf8')), ['storage', 'files']);
  const file = files.find((each) => textAt(each, ['path']) === reportTokenPath);
  const token =
    decodeDataUrl(textAt(file, ['contents', 'source']) ?? '')
      ?.toString('utf8')
      .trim() ?? '';
  return tokenPattern.test(token) ? { token } : {};
}

function ifChanged(error: unknown): undefined {
  if (!(error instanceof FileChanged)) throw error;
}
