import { problemsOf } from '../../../core/result.js';
import { explainSite } from '../../../fleet/review/index.js';
import { problem } from '../../../core/problem.js';
import { maskedArgument } from '../../../core/quoted.js';
import { suggestionOr } from '../../../core/suggest.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { pathFromWorkingDirectory } from '../../../formats/working-directory.js';
import { whyData, whyText } from '../../../review/why/why-text.js';
import { urlOrPath } from '../../../run/effects/command-line.js';
import type { AioOptions, GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { openFleetOf } from '../open-fleet.js';

type Options = GlobalOptions & AioOptions;

/** Explains the origin of an output of a site, with the layer of the fleet that sets each field. */
export async function whyInFleet(site: string, question: string, options: Options): Promise<void> {
  const { dir, offlineFiles } = options;
  const opened = openFleetOf({ dir }, standardInput());
  if (!opened.ok) {
    report(options, { problems: problemsOf(opened) });
    return;
  }
  const { rows } = opened.value;
  const row = rows.find(({ name }) => name === site);
  if (row === undefined) {
    const names = rows.map(({ name }) => name);
    const hint = suggestionOr(site, names, 'name one site of the table, without wildcards');
    const message = `${maskedArgument(site)} is not a site of the table`;
    report(options, { problems: [problem('fleet/no-site', message, { hint })] });
    return;
  }
  const explained = await explainSite(opened.value, row, {
    question,
    shownPath: (file) => pathFromWorkingDirectory(dir, file),
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
  });
  report(options, {
    problems: explained.ok ? [] : problemsOf(explained),
    ...(explained.ok && {
      text: whyText(explained.value.answers, explained.value.places),
      json: { answers: whyData(explained.value.answers, explained.value.places) },
    }),
  });
}
