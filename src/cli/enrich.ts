import { enrich, type EnrichedConfig } from '../manifests/enrich/enrich.js';
import type { AssetFolder } from '../manifests/enrich/asset-folder.js';
import { nodeConfigLimitMib } from '../manifests/enrich/master-size.js';
import { problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { openAssetFolder } from '../disk/asset-folder.js';
import { readNamedFile } from '../disk/named-file.js';
import { isSameOrBelow, replaceFile } from '../disk/replace-file.js';
import type { EnrichOptions, GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { shellWord } from '../formats/shell-word.js';

/** Writes the Ignition config of the installed node: the master config and the files that the bootstrap copies to disk. */
export function enrichMaster(given: EnrichOptions, options: GlobalOptions): void {
  const written = write(given);
  report(options, {
    problems: problemsOf(written),
    ...(written.ok && { text: summary(given.out, written.value), json: { path: given.out } }),
  });
}

function write({ assetDir, input, out }: EnrichOptions): Result<EnrichedConfig> {
  const folder = openAssetFolder(assetDir);
  const read = readNamedFile('--input', input);
  if (!read.ok || !folder.ok) return failure(...[read, folder].flatMap(problemsOf));
  const enriched = enrich(folder.value, { name: input, bytes: read.value });
  if (!enriched.ok) return enriched;
  const place = checkOutput(out, input, folder.value, enriched.value.sources);
  if (!place.ok) return place;
  const written = replaceFile(out, enriched.value.text, { followsLink: true });
  return written.ok ? enriched : written;
}

/** Rejects an output path that would overwrite an input. Problems: enrich/output. */
function checkOutput(
  out: string,
  input: string,
  folder: AssetFolder,
  sources: readonly string[],
): Result<void> {
  const overwritten = [input, ...sources.map((source) => folder.pathOf(source))].find((path) =>
    isSameOrBelow(out, path),
  );
  if (overwritten === undefined) return success(undefined);
  const message = `--out ${out} would overwrite the input ${overwritten}`;
  return failure(problem('enrich/output', message, { hint: 'name another file' }));
}

function summary(out: string, { text, config, hasHostname }: EnrichedConfig): string {
  const mebibytes = (Buffer.byteLength(text) / 1024 ** 2).toFixed(1);
  const { files = [], directories = [] } = config.storage ?? {};
  const units = config.systemd?.units ?? [];
  return [
    `Wrote ${out}: the master config with ${files.length} files, ${directories.length} directories and ${units.length} units.`,
    `Size: ${mebibytes} MiB of at most ${nodeConfigLimitMib} MiB on the boot partition.`,
    ...(hasHostname ? ['The host name is set by a MachineConfig.'] : []),
    '',
    'Keep the file secret, it contains the keys of the cluster. Next, to install it:',
    `  coreos-installer install --copy-network --ignition-file ${shellWord(out)} DISK`,
    '',
  ].join('\n');
}
