import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { objectOf, objectsAt, textAt, type JsonObject } from '../../remote/redfish/resource.js';

/** Returns the image URL of a site; undefined if it has none. */
export type ImageUrlLookup = (site: string) => string | undefined;

/** Image URLs from a template that contains `{site}`. Problems: boot/image. */
export function imageUrlsFromTemplate(template: string): Result<ImageUrlLookup> {
  const urlOf = (site: string): string => template.replaceAll('{site}', site);
  if (!template.includes('{site}'))
    return failure(
      noUrls(
        '--media-url does not contain {site}, so all sites would boot from the same image',
        'add {site} to the URL, or use --media with a list of URLs',
      ),
    );
  if (!isImageUrl(urlOf('site'))) return failure(noUrls('--media-url is not an http or https URL'));
  return success(urlOf);
}

/**
 * Image URLs from the output of `serve --print-urls --output json`: `{"sites": [{"name": …, "iso": …}]}`. Lists of other programs may
 * have `url` instead of `iso`. The URLs contain tokens and never appear in messages. Problems: boot/image.
 */
export function imageUrlsFromList(text: string, shownAs: string): Result<ImageUrlLookup> {
  const sites = objectsAt(objectOf(parseJson(text)), 'sites');
  const entries = sites.map((each) => [textAt(each, 'name') ?? '', imageOf(each)] as const);
  if (entries.length === 0)
    return failure(
      noUrls(`${shownAs} does not list any images`, 'create it with `serve --print-urls --output json`'),
    );
  const broken = entries.findIndex(([name, url]) => name === '' || !isImageUrl(url));
  if (broken !== -1)
    return failure(noUrls(`entry ${broken + 1} of ${shownAs} needs a name and an http or https URL`));
  const urls = new Map(entries);
  return success((site) => urls.get(site));
}

function imageOf(entry: JsonObject): string {
  return textAt(entry, 'iso') ?? textAt(entry, 'url') ?? '';
}

function noUrls(message: string, hint?: string): Problem {
  return problem('boot/image', message, { hint });
}

function isImageUrl(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
