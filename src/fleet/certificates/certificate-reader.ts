import { isError, problem, type Problem } from '../../core/problem.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { AgeKeys } from '../../formats/age.js';
import { stateAccessWithKeys } from '../build/access-with-keys.js';
import { readSiteOutputs } from '../review/outputs/site-outputs.js';
import { certificatesIn, type SiteCertificates } from './site-certificates.js';

/** Keys that decrypt encrypted outputs. */
export interface CertificateReaderOptions {
  readonly keys: AgeKeys;
}

/** Returns a function that reads the certificates in a site's folder. */
export function certificateReader({
  keys,
}: CertificateReaderOptions): (dir: string) => Promise<SiteCertificates> {
  const access = stateAccessWithKeys(keys);
  return (dir) => siteCertificates(dir, access);
}

async function siteCertificates(dir: string, access: StateAccess): Promise<SiteCertificates> {
  const { files, problems } = await readSiteOutputs(dir, access);
  const { certificates, problems: warnings } = certificatesIn(files);
  const isWithoutCertificates = certificates.length === 0 && !problems.some(isError);
  return {
    certificates,
    problems: [...problems, ...warnings.map(inMessage), ...(isWithoutCertificates ? [none()] : [])],
  };
}

/** Moves the output's path into the message, since the place of a grouped problem is the site. */
function inMessage({ at, ...found }: Problem): Problem {
  return at === undefined ? found : { ...found, message: `${at.file}: ${found.message}` };
}

function none(): Problem {
  return problem('certs/none', 'no certificate found in the outputs of this site', {
    hint: 'list the outputs with `sno-install inspect`',
  });
}
