import type { KnownPulls } from '../assets/images/first-pulls.js';
import { problemsOf, type Result } from '../core/result.js';
import { imageSetConfiguration } from '../node/first-images.js';
import { pullsData, pullsText } from '../node/render-first-images.js';
import { look } from '../run.js';
import type { AioOptions, GlobalOptions, ImagesOptions } from '../command-line/options.js';
import { report } from '../command-line/output/report.js';
import { requestOf } from '../command-line/request.js';

/** Lists what the first boot takes from the network. `--output json` has the list in either form. */
export async function listImages(given: ImagesOptions, options: GlobalOptions & AioOptions): Promise<void> {
  const found = await pullsOf(given.target, options);
  if (!found.ok) {
    report(options, { problems: found.problems });
    return;
  }
  const { pulls, references } = found.value;
  report(options, {
    problems: problemsOf(found),
    text: given.format === 'imageset' ? imageSetConfiguration(pulls, references) : pullsText(pulls),
    json: pullsData(pulls),
  });
}

async function pullsOf(target: string, options: GlobalOptions & AioOptions): Promise<Result<KnownPulls>> {
  const { singleNodePulls, aioPulls } = await import('../assets/images/first-pulls.js');
  return target === 'aio-ignition'
    ? look(requestOf('aio-ignition', options, { isStateOptional: true }), aioPulls)
    : look(requestOf('single-node-ignition-config', options, { isStateOptional: true }), singleNodePulls);
}
