import { defaultReleaseVersion } from '../release/releases.js';
import { programVersion } from '../core/program-version.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';

/** Prints the version, the default release and the Ignition spec of the outputs. */
export function version(options: GlobalOptions): void {
  const text = `sno-install ${programVersion}\ndefault release ${defaultReleaseVersion}\nIgnition spec 3.2.0\nNode ${process.version}\n`;
  report(options, {
    problems: [],
    text,
    json: {
      version: programVersion,
      defaultRelease: defaultReleaseVersion,
      ignitionSpec: '3.2.0',
      node: process.version,
    },
  });
}
