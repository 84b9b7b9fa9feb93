import type { PreflightCheck, PullAnswer } from './answers.js';
import type { PlannedImage } from './plan.js';
import type { PullPlace } from './pull-places.js';
import { passedCheck, failedCheck } from './verdict.js';

/** A pull location and the response of its registry. */
export interface PullPlaceAnswer {
  readonly place: PullPlace;
  /** Host and port of the proxy; undefined without one. */
  readonly via: string | undefined;
  readonly answer: PullAnswer;
}

/** Evaluates the responses of all pull locations of an image: one location that has it is enough. */
export function judgePulls(
  { image, places }: PlannedImage,
  asked: readonly PullPlaceAnswer[],
): readonly PreflightCheck[] {
  if (places.length === 0) {
    const message = `no place may be asked for ${image}: its source is blocked, and mirrors are asked by digest only`;
    const hint = 'give the release by digest, or take sourcePolicy away';
    return [
      failedCheck(
        { about: 'registry', question: image, answer: 'not asked' },
        'preflight/image-nowhere',
        message,
        hint,
      ),
    ];
  }
  const isSomewhere = asked.some(({ answer }) => answer.kind === 'found');
  return asked.map((each) => judgePlace(each, isSomewhere));
}

function judgePlace({ place, via, answer }: PullPlaceAnswer, isElsewhere: boolean): PreflightCheck {
  const separator = place.digest === undefined ? ':' : '@';
  const shown = `${place.repository}${separator}${place.reference}`;
  const said = wordsOf(answer);
  const way = via === undefined ? '' : `, through the proxy ${via}`;
  const question = { about: 'registry' as const, question: shown, answer: `${said}${way}` };
  if (answer.kind === 'found') return passedCheck(question);
  if (isElsewhere) {
    const message = `${shown} cannot be had there: ${said}${way}; another place has it`;
    return failedCheck(question, 'preflight/place-failing', message);
  }
  const { code, hint } = faults[answer.kind];
  return failedCheck(question, code, `${shown} cannot be pulled: ${said}${way}`, hint);
}

const faults = {
  missing: { code: 'preflight/image-missing', hint: 'mirror the release, or correct the pull spec' },
  refused: {
    code: 'preflight/registry-refused',
    hint: 'give pullSecret credentials of this registry that may pull from it',
  },
  'wrong-digest': {
    code: 'preflight/image-digest',
    hint: 'mirror the image again: what is there is another one',
  },
  untrusted: {
    code: 'preflight/registry-untrusted',
    hint: 'add the authority of the registry to additionalTrustBundle, or correct its certificate',
  },
  unreachable: { code: 'preflight/registry-unreachable', hint: undefined },
  failing: { code: 'preflight/registry-failing', hint: undefined },
  proxy: { code: 'preflight/proxy', hint: 'correct proxy.httpsProxy, or name the registry in proxy.noProxy' },
} as const;

function wordsOf(answer: PullAnswer): string {
  switch (answer.kind) {
    case 'found':
      return answer.digest;
    case 'missing':
      return 'the registry does not have it';
    case 'wrong-digest':
      return `what the registry has there is ${answer.digest}`;
    case 'refused':
    case 'untrusted':
    case 'unreachable':
    case 'failing':
    case 'proxy':
      return answer.reason;
  }
}
