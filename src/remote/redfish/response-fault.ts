import { BmcFault, type BmcMessage } from './bmc-fault.js';
import type { BmcResponse } from './bmc-request.js';
import { messageText, responseMessages } from './response-messages.js';

/** Temporary statuses: a retry may succeed. Source: RFC 9110 §15; RFC 6585 §4 */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Whether a write was rejected before it was processed, so that it can be repeated safely. Source: RFC 9110 §15.6.4; RFC 6585 §4 */
export function isRejectedUnprocessed({ status, messages }: BmcFault): boolean {
  return status === 429 || status === 503 || isOfState(messages);
}

/** Maps an error response. `hidden` lists secrets that the BMC may repeat in it. */
export function responseFault(answer: BmcResponse, hidden: readonly string[]): BmcFault {
  const { status } = answer;
  const messages = responseMessages(answer.data);
  const said = messageText(messages, hidden);
  const withText = (words: string): string => (said === '' ? words : `${words}: ${said}`);
  if (isAboutLicense(messages))
    return new BmcFault('unsupported', withText('a license of the BMC is missing'), {
      status,
      messages,
      hint: 'install the license for Redfish and virtual media (Supermicro: SFT-OOB-LIC or SFT-DCMS-SINGLE; iDRAC: Enterprise; iLO: Advanced; XCC: Platinum)',
    });
  if (status === 401)
    return new BmcFault('credentials', withText('invalid user name or password'), { status, messages });
  const keys = [...new Set(messages.map(({ key }) => key))].filter((key) => /^\w{1,60}$/.test(key));
  const specific = keys.filter((key) => key !== 'GeneralError');
  const head = [`HTTP ${status}`, ...(specific.length > 0 ? specific : keys).slice(0, 3)].join(', ');
  const words = withText(`request failed (${head})`);
  if (status === 403) return new BmcFault('credentials', `permission denied: ${words}`, { status, messages });
  return new BmcFault('refused', words, {
    status,
    messages,
    mayPass: temporaryStatuses.has(status) || isOfState(messages),
  });
}

/** Messages of a state that passes, with status 400 or 409. Source: DSP2065, Base registry; HPE iLO registry, after a power change */
const temporaryKeys: ReadonlySet<string> = new Set([
  'InvalidOperationForSystemState',
  'ServiceTemporarilyUnavailable',
]);

function isOfState(messages: readonly BmcMessage[]): boolean {
  return messages.some(({ key }) => temporaryKeys.has(key));
}

/** Source: Supermicro OemLicenseNotPassed; DSP2065, License registry; HPE iLO LicenseKeyRequired; Dell iDRAC LIC501 */
function isAboutLicense(messages: readonly BmcMessage[]): boolean {
  return messages.some(
    ({ key, text }) =>
      /^(?:OemLicenseNotPassed|LicenseKeyRequired|NotLicensed|LIC\d+)$/.test(key) ||
      /\b(?:not licen[sc]ed|licen[sc]e (?:is )?(?:required|missing|not)|(?:requires?|missing|without) (?:a |an |the )?(?:\w+ ){0,2}licen[sc]e)\b/i.test(
        text.slice(0, maxText),
      ),
  );
}

const maxText = 2000;

/** A login that the BMC refused. */
export function loginFault(answer: BmcResponse, hidden: readonly string[]): BmcFault {
  const { status, data } = answer;
  const fault = responseFault(answer, hidden);
  if (fault.kind === 'unsupported') return fault;
  const said = messageText(responseMessages(data), hidden);
  const words = 'invalid user name or password';
  return new BmcFault('credentials', said === '' ? words : `${words} (HTTP ${status}): ${said}`, { status });
}
