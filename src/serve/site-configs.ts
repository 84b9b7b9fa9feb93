import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { fileFingerprint } from '../disk/file-size.js';
import { readNamedFile } from '../disk/named-file.js';
import { openFile } from '../disk/state/open-state.js';
import type { StateAccess } from '../disk/state/state-access.js';
import { configFile } from '../run/sources/ignition-file.js';
import { FileChanged } from './answers/served-file.js';
import { findConfig, liveConfigName, type SiteFolder } from './site-folders.js';

/** One version of a site's live Ignition config. */
export interface SiteConfig {
  /** Unique to this version. */
  readonly mark: string;
  /**
   * Returns the decrypted config. Throws FileChanged if the site has another version now, and SourceUnavailable.
   * Problems: usage/unreadable-file, review/not-a-config, store/*, and those of decryption.
   */
  readonly read: () => Promise<Result<Buffer>>;
}

/** Source of the live Ignition configs of sites. */
export interface SiteConfigs {
  /** Returns the current version. Throws SourceUnavailable. Problems: media/serve-sites if there is none, store/*. */
  readonly find: (site: SiteFolder) => Promise<Result<SiteConfig>>;
  /** Whether the site has a config, as far as known without a request. */
  readonly isKnown: (site: SiteFolder) => boolean;
  /** Whether a config of the site was read since the start; always true for folders. */
  readonly wasRead: (site: SiteFolder) => boolean;
  /** Called with all sites while the status page or the metrics are read. Must not wait. */
  readonly watch: (sites: readonly SiteFolder[]) => void;
}

/** Configs in the folders of the sites. */
export function folderConfigs(access: StateAccess): SiteConfigs {
  return {
    find: ({ dir }) => {
      const found = findConfig(dir);
      if (found === undefined) {
        const message = `${dir} contains no ${liveConfigName}, plain or encrypted`;
        return Promise.resolve(missingConfig(message, 'run `sno-install create` to write it'));
      }
      const { path, mark } = found;
      const read = async (): Promise<Result<Buffer>> => {
        const named = readNamedFile('the config', path);
        const config = named.ok ? await openConfig(named.value, path, access) : named;
        if (config.ok && fileFingerprint(path) !== mark) throw new FileChanged();
        return config;
      };
      return Promise.resolve(success({ mark: `${path}\0${mark}`, read }));
    },
    isKnown: ({ dir }) => findConfig(dir) !== undefined,
    wasRead: () => true,
    watch: () => undefined,
  };
}

export function missingConfig(message: string, hint: string): Result<never> {
  return failure(problem('media/serve-sites', message, { hint }));
}

/** Decrypts a live config if necessary. Problems: those of `openFile`, review/not-a-config. */
export async function openConfig(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<Buffer>> {
  const opened = await openFile(bytes, shownAs, access);
  if (!opened.ok) return opened;
  const config = configFile(liveConfigName, opened.value, shownAs);
  return config.ok ? success(Buffer.from(config.value.contents)) : config;
}
