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
  /** The answer for its signature, if that is needed and the image is there. */
  readonly signature?: { readonly tag: string; readonly answer: PullAnswer };
}

/** Evaluates the responses of all pull locations of an image: one location that has it is enough. */
export function judgePulls(
  { image, places }: PlannedImage,
  answers: readonly PullPlaceAnswer[],
): readonly PreflightCheck[] {
  if (places.length === 0) {
    const message = `no registry is allowed for ${image}: its source is blocked, and mirrors serve digests only`;
    const hint = 'name the release by digest, or remove sourcePolicy';
    return [
      failedCheck(
        { kind: 'registry', question: image, answer: 'not asked' },
        'preflight/image-nowhere',
        message,
        hint,
      ),
    ];
  }
  const isSomewhere = answers.some(({ answer }) => answer.kind === 'found');
  return answers.flatMap((each) => [judgePlace(each, isSomewhere), ...judgeSignature(each)]);
}

/** The node reads a signature only from the place that has the image. */
function judgeSignature({ place, via, signature }: PullPlaceAnswer): readonly PreflightCheck[] {
  if (signature === undefined) return [];
  const { tag, answer } = signature;
  const judged = judgePlace({ place: { ...place, reference: tag, digest: undefined }, via, answer }, false);
  if (answer.kind !== 'missing') return [judged];
  const message = `${place.repository} has an image without its signature ${tag}, which the release requires`;
  const hint =
    'mirror the signature too, with oc-mirror from 4.21 on, or by hand as another tag of the repository';
  return [failedCheck(judged, 'preflight/signature-missing', message, hint)];
}

function judgePlace({ place, via, answer }: PullPlaceAnswer, isElsewhere: boolean): PreflightCheck {
  const separator = place.digest === undefined ? ':' : '@';
  const shown = `${place.repository}${separator}${place.reference}`;
  const said = wordsOf(answer);
  const way = via === undefined ? '' : `, through proxy ${via}`;
  const question = { kind: 'registry' as const, question: shown, answer: `${said}${way}` };
  if (answer.kind === 'found') return passedCheck(question);
  if (isElsewhere) {
    const message = `cannot pull ${shown}: ${said}${way}; it is available elsewhere`;
    return failedCheck(question, 'preflight/place-failing', message);
  }
  const { code, hint } = faults[answer.kind];
  return failedCheck(question, code, `cannot pull ${shown}: ${said}${way}`, hint);
}

const faults = {
  missing: { code: 'preflight/image-missing', hint: 'mirror the release, or correct the pull spec' },
  refused: {
    code: 'preflight/registry-refused',
    hint: 'add credentials with pull access to this registry to pullSecret',
  },
  'wrong-digest': {
    code: 'preflight/image-digest',
    hint: 'mirror the image again: the registry has a different one',
  },
  untrusted: {
    code: 'preflight/registry-untrusted',
    hint: 'add the CA of the registry to additionalTrustBundle, or correct its certificate',
  },
  unreachable: { code: 'preflight/registry-unreachable', hint: undefined },
  failing: { code: 'preflight/registry-failing', hint: undefined },
  proxy: { code: 'preflight/proxy', hint: 'correct proxy.httpsProxy, or add the registry to proxy.noProxy' },
} as const;

function wordsOf(answer: PullAnswer): string {
  switch (answer.kind) {
    case 'found':
      return answer.digest;
    case 'missing':
      return 'not found in the registry';
    case 'wrong-digest':
      return `the registry has digest ${answer.digest}`;
    case 'refused':
    case 'untrusted':
    case 'unreachable':
    case 'failing':
    case 'proxy':
      return answer.reason;
  }
}
