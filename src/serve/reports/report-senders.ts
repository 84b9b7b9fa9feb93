import { readNamedFile } from '../../disk/named-file.js';
import { openFile } from '../../disk/state/open-state.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import { parseJson } from '../../formats/json.js';
import { listAt, textAt } from '../../kube/fields.js';
import { reportTokenForm, reportTokenPath } from '../../config/report/report-files.js';
import { findConfig, type SiteFolder } from '../site-folders.js';
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
export function reportSenders(sites: () => readonly SiteFolder[], access: StateAccess): ReportSenders {
  let [read, table]: [readonly Read[], TokenTable<Read>] = [[], tokenTable<Read>([])];
  let [lookedAt, underWay]: [number, Promise<void> | undefined] = [Number.NEGATIVE_INFINITY, undefined];
  const look = async (): Promise<void> => {
    const before = new Map(read.map((each) => [each.site.dir, each]));
    const next: Read[] = [];
    for (const site of sites()) {
      const [config, known] = [findConfig(site.dir), before.get(site.dir)];
      if (config === undefined) continue;
      const { path, mark } = config;
      next.push(known?.mark === mark ? known : { site, mark, ...(await tokenIn(path, access)) });
    }
    read = next;
    table = tokenTable(
      next.flatMap((each) => (each.token === undefined ? [] : [[each.token, each] as const])),
    );
  };
  const known = (token: string): string | undefined => {
    const found = table.find(token);
    return found && findConfig(found.site.dir)?.mark === found.mark ? found.site.name : undefined;
  };
  return {
    find: async (token, now) => {
      if (!tokenPattern.test(token)) return undefined;
      const name = known(token);
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
async function tokenIn(path: string, access: StateAccess): Promise<{ readonly token?: string }> {
  const named = readNamedFile('the config', path);
  const opened = named.ok ? await openFile(named.value, path, access) : named;
  if (!opened.ok) return {};
  const files = listAt(parseJson(Buffer.from(opened.value).toString('utf8')), ['storage', 'files']);
  const file = files.find((each) => textAt(each, ['path']) === reportTokenPath);
  const token =
    decodeDataUrl(textAt(file, ['contents', 'source']) ?? '')
      ?.toString('utf8')
      .trim() ?? '';
  return tokenPattern.test(token) ? { token } : {};
}
