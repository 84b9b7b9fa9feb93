import { problem, type Problem } from '../../core/problem.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';

/** Converts a StoreFault to a problem; rethrows any other error. */
export function storeProblem(error: unknown): Problem {
  if (!(error instanceof StoreFault)) throw error;
  const { code, says, hint } = words[error.kind];
  return problem(code, `${says}: ${error.message}`, { hint });
}

const words = {
  unreachable: {
    code: 'store/unreachable',
    says: 'the store does not answer',
    hint: 'look at AWS_ENDPOINT_URL, the network and AWS_CA_BUNDLE, and run the same command again',
  },
  refused: {
    code: 'store/refused',
    says: 'the store refuses',
    hint: 'look at the bucket, its region and what the credentials may do there',
  },
  damaged: {
    code: 'store/damaged',
    says: 'the store is damaged',
    hint: 'look who writes below the prefix; a site whose object is deleted is made again, with other keys',
  },
} as const;
