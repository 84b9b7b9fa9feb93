import { quoted } from '../../../core/quoted.js';
import { parseImageReference } from '../../../formats/image-reference.js';
import { versionIn } from '../../../release/release-version.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on the release in sno-config.yaml. */
export const releaseRules: readonly SnoRule[] = [
  {
    number: 76,
    fields: ['releaseImage'],
    text: 'releaseImage is a pull spec with its registry and a tag or a digest.',
    origin: 'sno-install',
    check: releaseImage,
  },
  {
    number: 77,
    fields: ['releaseVersion'],
    text: 'releaseVersion starts with <major>.<minor>, and equals the version in the tag of releaseImage.',
    origin: 'sno-install',
    check: releaseVersion,
  },
];

function releaseImage({ config }: SnoSubject): readonly Finding[] {
  const fault = config.releaseImage === undefined ? undefined : pullSpecFault(config.releaseImage);
  return fault === undefined
    ? []
    : [
        {
          code: 'config/release-image',
          path: ['releaseImage'],
          message: `releaseImage ${quoted(config.releaseImage ?? '')} ${fault}`,
        },
      ];
}

/** The fault of a pull spec, as the end of a sentence. */
export function pullSpecFault(text: string): string | undefined {
  const digest = /@sha(?:256|512):(.*)$/.exec(text)?.[1];
  if (digest !== undefined && /^0+$/.test(digest)) return 'has a placeholder as its digest';
  const reference = parseImageReference(text);
  if (!reference)
    return digest !== undefined && !/^[0-9a-f]{64,}$/.test(digest)
      ? 'has a digest that is not "sha256:" and 64 hexadecimal digits'
      : 'is not a pull spec with its registry';
  return reference.tag === undefined && reference.digest === undefined
    ? 'has neither a tag nor a digest'
    : undefined;
}

function releaseVersion({ config }: SnoSubject): readonly Finding[] {
  const { releaseVersion: given, releaseImage: image } = config;
  if (given === undefined) return [];
  const place = { code: 'config/release-version' as const, path: ['releaseVersion'] };
  const version = versionIn(given);
  if (!version)
    return [{ ...place, message: `releaseVersion ${quoted(given)} is not a version such as 4.18 or 4.18.3` }];
  const tagged = otherVersionIn(parseImageReference(image ?? '')?.tag ?? '', given);
  if (tagged === undefined) return [];
  return [
    {
      ...place,
      message: `releaseVersion ${given} differs from the tag of releaseImage, ${tagged}`,
      hint: 'leave it out',
      with: [['releaseImage']],
    },
  ];
}

/** The version in the tag of an image, if it differs from `given`. A version without a patch fits all patches. */
export function otherVersionIn(tag: string, given: string): string | undefined {
  const [tagged, wanted] = [versionIn(tag), versionIn(given)];
  const [patchOfTag, patch] = [tag, given].map((text) => /^\d+\.\d+\.\d+/.exec(text)?.[0]);
  if (tagged === undefined || wanted === undefined) return undefined;
  if (tagged.text !== wanted.text) return tagged.text;
  const isSamePatch = patch === undefined || patchOfTag === undefined || patch === patchOfTag;
  return isSamePatch ? undefined : patchOfTag;
}
