import type { PullsWithReferences } from '../assets/images/first-pulls.js';
import type { AioOptions, GlobalOptions, ImagesOptions } from './options.js';
import { report } from './output/report.js';
import { runRequest } from './request.js';
import { alignColumns } from '../core/align-columns.js';
import { success, type Result, problemsOf } from '../core/result.js';
import {
  firstImage,
  type FirstImage,
  type FirstBootDownloads,
  imageSetConfiguration,
} from '../node/first-boot-images.js';
import { look } from '../run/run.js';
import type { IgnitionTarget } from '../run/targets.js';

/**
 * Lists the images and files that the first boot downloads; with `--payload`, those that are not in the payload, also of manifests. JSON
 * output contains the list for all formats.
 */
export async function listImages(given: ImagesOptions, options: GlobalOptions & AioOptions): Promise<void> {
  // The list comes from the configs, so the state is optional.
  const { target } = given;
  const request = { ...runRequest(target, options, { isStateOptional: true }), target };
  const found =
    given.payload === undefined
      ? await pullsOf(request)
      : await pullsBeside(given.payload, { ...request, payloadUse: 'list' });
  if (!found.ok) {
    report(options, { problems: found.problems });
    return;
  }
  const { pulls, references } = found.value;
  report(options, {
    problems: problemsOf(found),
    text:
      options.output === 'imageset'
        ? imageSetConfiguration(pulls, references)
        : pullsText(pulls, given.payload),
    json: pullsData(pulls),
  });
}

type Request = ReturnType<typeof runRequest> & { readonly target: IgnitionTarget };

async function pullsOf(request: Request): Promise<Result<PullsWithReferences>> {
  const { singleNodePulls, aioPulls } = await import('../assets/images/first-pulls.js');
  const pulls = {
    'single-node-ignition-config': singleNodePulls,
    'aio-ignition': aioPulls,
  } satisfies Record<IgnitionTarget, typeof aioPulls>;
  return look(request, pulls[request.target]);
}

/** The downloads that a payload does not contain. */
async function pullsBeside(path: string, request: Request): Promise<Result<PullsWithReferences>> {
  const { openPayload } = await import('../disk/payload/open-payload.js');
  const opened = openPayload('--payload', path);
  if (!opened.ok) return opened;
  const { manifest, close } = opened.value;
  close();
  const found = await pullsOf(request);
  if (!found.ok) return found;
  const ofManifests = await imagesOfManifests(request);
  if (!ofManifests.ok) return ofManifests;
  const contained = new Set(manifest.images.map(({ image }) => image));
  const { pulls, references } = found.value;
  const { release, files } = pulls;
  const hasRelease = release !== undefined && contained.has(release);
  const images = [
    ...pulls.images,
    ...ofManifests.value.map((image) => firstImage('-', image, ['manifests'])),
  ].filter(({ image }) => (image === undefined ? !hasRelease : !contained.has(image)));
  const others = { images, files, ...(release !== undefined && !hasRelease && { release }) };
  return success({ pulls: others, references }, problemsOf(found));
}

/** Images of the manifests of a cluster; an all-in-one node applies none. */
async function imagesOfManifests(request: Request): Promise<Result<readonly string[]>> {
  switch (request.target) {
    case 'aio-ignition':
      return success([]);
    case 'single-node-ignition-config': {
      const { manifestImages } = await import('../assets/images/payload-images.js');
      return look(request, manifestImages);
    }
  }
}

function pullsData({ images, files }: FirstBootDownloads): Readonly<Record<string, unknown>> {
  return {
    images,
    files: files.map(({ path, url, hash }) => ({ path, url, [hash.type]: hash.hex })),
  };
}

/** Formats the list as tables. */
function pullsText({ images, files }: FirstBootDownloads, payload: string | undefined): string {
  if (payload !== undefined && images.length === 0 && files.length === 0)
    return `nothing: all images of the machine and of its manifests are in ${payload}\n`;
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
          'To list the images of the release, save the output of this command and name the file in imageReferences of sno-config.yaml:',
          '  oc adm release info RELEASE --output=json',
        ]
      : []),
    '',
  ].join('\n');
}

function placeOf({ image }: FirstImage): string {
  return image ?? 'in the release';
}
