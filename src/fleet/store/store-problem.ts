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
    hint: 'check AWS_ENDPOINT_URL, AWS_CA_BUNDLE and the network, then run the same command again',
  },
  refused: {
    code: 'store/refused',
    says: 'the store refused the request',
    hint: 'check the bucket, its region and the permissions of the credentials',
  },
  credentials: {
    code: 'store/credentials',
    says: 'no credentials for the store',
    hint: 'check AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN and AWS_ENDPOINT_URL_STS, or the credential_process of AWS_PROFILE',
  },
  damaged: {
    code: 'store/damaged',
    says: 'the store is damaged',
    hint: 'find out which program writes below the prefix; do not delete the object, or the site is created again with new keys',
  },
  key: {
    code: 'store/key',
    says: 'the fleet key does not match the store',
    hint: 'restore fleet-key.age and .sno-install-fleet-key of the run that created the store, or create the fleet below another prefix',
  },
} as const;
