import type { PullsWithReferences } from '../assets/images/first-pulls.js';
import type { AioOptions, GlobalOptions, ImagesOptions } from './options.js';
import { report } from './output/report.js';
import { runRequest } from './request.js';
import { alignColumns } from '../core/align-columns.js';
import { type Result, problemsOf } from '../core/result.js';
import {
  type FirstImage,
  type FirstBootDownloads,
  imageSetConfiguration,
} from '../node/first-boot-images.js';
import { look } from '../run/run.js';

/** Lists the images and files that the first boot downloads. JSON output contains the list for both formats. */
export async function listImages(given: ImagesOptions, options: GlobalOptions & AioOptions): Promise<void> {
  const found = await pullsOf(given.target, options);
  if (!found.ok) {
    report(options, { problems: found.problems });
    return;
  }
  const { pulls, references } = found.value;
  report(options, {
    problems: problemsOf(found),
    text: options.output === 'imageset' ? imageSetConfiguration(pulls, references) : pullsText(pulls),
    json: pullsData(pulls),
  });
}

async function pullsOf(
  target: string,
  options: GlobalOptions & AioOptions,
): Promise<Result<PullsWithReferences>> {
  const { singleNodePulls, aioPulls } = await import('../assets/images/first-pulls.js');
  return target === 'aio-ignition'
    ? look(runRequest('aio-ignition', options, { isStateOptional: true }), aioPulls)
    : look(runRequest('single-node-ignition-config', options, { isStateOptional: true }), singleNodePulls);
}

function pullsData({ images, files }: FirstBootDownloads): Readonly<Record<string, unknown>> {
  return {
    images,
    files: files.map(({ path, url, hash }) => ({ path, url, [hash.type]: hash.hex })),
  };
}

/** Formats the list as tables. */
function pullsText({ images, files }: FirstBootDownloads): string {
  const rows = [
    ['NAME', 'IMAGE', 'USED BY'],
    ...images.map((each) => [each.name, placeOf(each), each.usedBy.join(', ')]),
  ];
  const isOpen = images.some(({ image }) => image === undefined);
  return [
    ...alignColumns(rows),
    ...(files.length === 0
      ? []
      : [
          '',
          ...alignColumns([
            ['FILE', 'URL', 'HASH'],
            ...files.map(({ path, url, hash }) => [path, url, `${hash.type}:${hash.hex}`]),
          ]),
        ]),
    ...(isOpen
      ? [
          '',
          'To list the images of the payload, save the output of this command and name the file in imageReferences of sno-config.yaml:',
          '  oc adm release info RELEASE --output=json',
        ]
      : []),
    '',
  ].join('\n');
}

function placeOf({ image }: FirstImage): string {
  return image ?? 'in the payload';
}
