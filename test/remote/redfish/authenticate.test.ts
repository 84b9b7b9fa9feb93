import { describe, expect, it } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { authenticate, type BmcAuthentication } from '../../../src/remote/redfish/authenticate.js';
import { BmcFault } from '../../../src/remote/redfish/bmc-fault.js';
import type { BmcRequest, BmcResponse } from '../../../src/remote/redfish/bmc-request.js';

type Answer = Partial<Pick<BmcResponse, 'status' | 'headers' | 'data'>>;

/** A BMC that answers these requests; 404 for others. */
function bmc(answers: Readonly<Record<string, Answer>>) {
  const requests: string[] = [];
  const send = ({ method, path, headers = {} }: BmcRequest): Promise<BmcResponse> => {
    const question = `${method} ${path}`;
    requests.push([question, ...Object.values(headers)].join(' '));
    const { status = 200, headers: given = {}, data = {} } = answers[question] ?? { status: 404 };
    return Promise.resolve({ status, headers: given, data, bytes: 1 });
  };
  const login = (): Promise<BmcAuthentication> =>
    authenticate(
      { name: 'operator', password: new Redacted('pa55') },
      { send, parting: send, hidden: ['pa55'] },
    );
  return { requests, login };
}

const version = { RedfishVersion: '1.15.0' };
const sessions = { Links: { Sessions: { '@odata.id': '/redfish/v1/SessionService/Sessions' } } };
const root = { data: { ...version, ...sessions } };
const created = { status: 201, headers: { 'x-auth-token': 'token1', location: '/redfish/v1/S/1' } };
const post = 'POST /redfish/v1/SessionService/Sessions';
const basic = `Basic ${Buffer.from('operator:pa55').toString('base64')}`;

describe('a login', () => {
  // Sources: DSP0266, "Session login"; openstack/sushy, sessionservice.py
  it.each([
    ['at the link of the service root', { 'GET /redfish/v1/': root, [post]: created }],
    [
      'below SessionService, if the root has no link',
      {
        'GET /redfish/v1/': {
          data: { ...version, SessionService: { '@odata.id': '/redfish/v1/SessionService/' } },
        },
        [post]: created,
      },
    ],
  ])('creates a session %s, and ends it', async (_name, answers) => {
    const { requests, login } = bmc(answers);
    const authentication = await login();
    expect(authentication.headers()).toEqual({ 'x-auth-token': 'token1' });
    await authentication.leave();
    expect(requests).toEqual(['GET /redfish/v1/', post, 'DELETE /redfish/v1/S/1 token1']);
  });

  it.each([
    ['without Location', { status: 201, headers: { 'x-auth-token': 't' }, data: { '@odata.id': '/s/2' } }],
    [
      'with a whole URL',
      { status: 201, headers: { 'x-auth-token': 't', location: 'https://bmc.internal/s/2' } },
    ],
  ])('ends a session %s', async (_name, answer) => {
    const { requests, login } = bmc({ 'GET /redfish/v1/': root, [post]: answer });
    await (await login()).leave();
    expect(requests.at(-1)).toBe('DELETE /s/2 t');
  });

  // Source: DSP0266, "Authentication": services have HTTP Basic authentication too; openstack/sushy, auth.py, SessionOrBasicAuth
  it.each([
    ['the root has no sessions', { 'GET /redfish/v1/': { data: version } }],
    ...[404, 405, 501, 500, 503].map((status): [string, Record<string, Answer>] => [
      `the list of sessions answers ${status}`,
      { 'GET /redfish/v1/': root, [post]: { status } },
    ]),
    ['a session has no token', { 'GET /redfish/v1/': root, [post]: { status: 201 } }],
  ])('uses Basic authentication if %s', async (_name, answers) => {
    const authentication = await bmc(answers).login();
    expect(authentication.headers()).toEqual({ authorization: basic });
    expect(await authentication.renew()).toBe(false);
  });

  it.each([400, 401, 403])('with a refused password (%i) is not repeated', async (status) => {
    const { requests, login } = bmc({ 'GET /redfish/v1/': root, [post]: { status } });
    const fault = await login().catch((error: unknown) => error);
    expect(fault instanceof BmcFault && fault.kind).toBe('credentials');
    expect(requests).toEqual(['GET /redfish/v1/', post]);
  });

  it('renews an expired session once', async () => {
    const { requests, login } = bmc({ 'GET /redfish/v1/': root, [post]: created });
    const authentication = await login();
    expect([await authentication.renew(), await authentication.renew()]).toEqual([true, false]);
    expect(requests).toEqual(['GET /redfish/v1/', post, post]);
  });

  it.each([
    ['is no Redfish service', { 'GET /redfish/v1/': { data: {} } }],
    ['has no such path', {}],
  ])('stops if the server %s', async (_name, answers) => {
    const fault = await bmc(answers)
      .login()
      .catch((error: unknown) => error);
    expect(fault instanceof BmcFault && fault.kind).toBe('unsupported');
  });
});
