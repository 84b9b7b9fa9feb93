import { homedir } from 'node:os';
import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readRegularFile } from '../../disk/regular-file.js';
import type { Variables } from '../../disk/environment.js';

/** Settings of a profile, by their lower-case names. */
export type ProfileSettings = Readonly<Record<string, string>>;

/** Files of the AWS tools have a few kilobytes. */
const maxBytes = 1024 * 1024;

/**
 * Reads the profile AWS_PROFILE from the shared credentials file and the config file; empty if there is none. Settings of the credentials
 * file have priority (docs.aws.amazon.com/sdkref/latest/guide/file-format.html). Problems: store/credentials.
 */
export function sharedProfile(variables: Variables): Result<ProfileSettings> {
  const profile = [variables['AWS_PROFILE']].find(Boolean) ?? 'default';
  const config = readSections('config', variables['AWS_CONFIG_FILE'] ?? '');
  const credentials = readSections('credentials', variables['AWS_SHARED_CREDENTIALS_FILE'] ?? '');
  if (!config.ok) return config;
  if (!credentials.ok) return credentials;
  // In the config file, `[profile default]` has priority over `[default]`.
  const names = profile === 'default' ? ['default', 'profile default'] : [`profile ${profile}`];
  const settings = [...names.map((name) => config.value.get(name)), credentials.value.get(profile)];
  return success(Object.fromEntries(settings.flatMap((each) => Object.entries(each ?? {}))));
}

type Sections = ReadonlyMap<string, ProfileSettings>;

function readSections(name: 'config' | 'credentials', path: string): Result<Sections> {
  const read = readRegularFile(path === '' ? join(homedir(), '.aws', name) : path, maxBytes);
  if (read.kind === 'absent') return success(new Map());
  if (read.kind === 'file') return success(sectionsOf(read.bytes.toString('utf8')));
  const hint = 'correct AWS_CONFIG_FILE or AWS_SHARED_CREDENTIALS_FILE, or the permissions of the file';
  return failure(problem('store/credentials', `cannot read the ${name} file: ${read.reason}`, { hint }));
}

/** Indented lines are nested settings, which are not used. */
function sectionsOf(text: string): Sections {
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, head] = /^\[\s*([^\]]+?)\s*\]/.exec(line) ?? [];
    if (head !== undefined) {
      const name = head.replace(/\s+/g, ' ');
      section = sections.get(name) ?? {};
      sections.set(name, section);
    }
    const [, key, value] = /^([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (section !== undefined && key !== undefined && value !== undefined) section[key.toLowerCase()] = value;
  }
  return sections;
}
