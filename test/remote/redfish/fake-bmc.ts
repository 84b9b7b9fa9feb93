import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';

import { onTestFinished } from 'vitest';

import { listeningPort } from '../../support/ports.js';

export type Json = Record<string, unknown>;

/** Behaviour of BMCs that the emulator does not show, each with its source. */
export interface Oddities {
  /** HTTP Basic only. Source: DSP0266, "Authentication": sessions are for services that have accounts. */
  readonly withoutSessions?: true;
  /** Number of sessions that expire at once. Source: DSP2046, SessionService, SessionTimeout */
  readonly expiredSessions?: number;
  /** Deprecated, but most BMCs have it here. Source: DSP2046, Manager, VirtualMedia */
  readonly mediaBelowManager?: true;
  /**
   * No InsertMedia: the client has to PATCH the resource. Source: DSP2046, VirtualMedia, Image; openstack/sushy, virtual_media.py
   * (Lenovo)
   */
  readonly insertsByPatch?: true;
  /** If-Match is required and compared as a string. Source: DSP0266, "ETags" */
  readonly etag?: string;
  /** Actions are accepted and complete later. Source: DSP0266, "Asynchronous operations" */
  readonly withTasks?: 'monitor' | 'failing' | 'nowhere' | 'unnamed';
  /** Number of requests that get 503 first. Source: RFC 9110 §15.6.4 */
  readonly busyFor?: number;
  /** Number of writes that take effect and then fail. Source: openstack/sushy, connector.py, which repeats after 500 and 502 */
  readonly failsAfterWrites?: number;
  /** Parameters that InsertMedia requires. Source: openstack/sushy, virtual_media.py */
  readonly demands?: readonly string[];
  /** Body of the error for a missing parameter. */
  readonly complaint?: (name: string) => Json;
  /** More members of a slot and of its action InsertMedia. */
  readonly slot?: Json;
  readonly insert?: Json;
  /** More members of the machine and of its manager. */
  readonly machine?: Json;
  readonly manager?: Json;
  /** More resources by path. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** The machine has a LastResetTime. Source: DSP2046, ComputerSystem, LastResetTime */
  readonly hasResetTime?: true;
  /** The boot override stays as it was written, instead of Disabled after the start. */
  readonly keepsOverride?: true;
  /** The medium never appears in its slot. */
  readonly losesMedium?: true;
  /** Every login is refused. */
  readonly withoutAccounts?: true;
  /** Called after each write took effect, before it is answered. */
  readonly afterWrite?: () => void;
  /** Writes are answered with a redirect. */
  readonly redirectsWrites?: true;
  /** Parameters are described in a separate resource. Source: DSP0266, "ActionInfo" */
  readonly actionInfo?: readonly string[];
  readonly resets?: readonly string[];
  readonly targets?: readonly string[];
  readonly mediaTypes?: readonly (readonly string[])[];
  readonly isOn?: true;
  readonly inserted?: string;
  /** The answer to a write instead of its effect; undefined for the effect. */
  readonly refuses?: (write: {
    readonly method: string;
    readonly path: string;
    readonly body: Json;
  }) => readonly [status: number, body: Json] | undefined;
  /** The error message repeats the URL and its credentials. */
  readonly repeatsImage?: true;
  /** Source: DSP0266, "HTTP status codes", 409 */
  readonly refusesRestarts?: true;
  /** Requests for these paths get no answer. */
  readonly hangsAt?: RegExp;
  /** Redirect target for the list of systems. Source: DSP0266, "HTTP status codes", 3xx */
  readonly redirects?: string;
  /** Link of the system in the list of systems. */
  readonly leadsTo?: string;
}

/** A BMC with one machine. */
export interface FakeBmc {
  readonly origin: string;
  /** `METHOD path body` of each write. */
  readonly writes: readonly string[];
  readonly state: {
    power: string;
    images: string[];
    boot: Json;
    sessions: Set<string>;
    /** Power-on and restarts so far. */
    starts: number;
    /** The boot override applies to the next start. */
    isOnce: boolean;
  };
}

export const account = { name: 'operator', password: 'bmc-pa55word' };

/** Starts a BMC; with TLS if `tls` is given. */
export async function fakeBmc(odd: Oddities = {}, tls?: ServerOptions): Promise<FakeBmc> {
  const writes: string[] = [];
  const slots = odd.mediaTypes ?? [
    ['Floppy', 'USBStick'],
    ['CD', 'DVD'],
  ];
  const state: FakeBmc['state'] = {
    power: odd.isOn ? 'On' : 'Off',
    images: slots.map(() => odd.inserted ?? ''),
    boot: {},
    sessions: new Set(),
    starts: 0,
    isOnce: false,
  };
  const counts = {
    busy: odd.busyFor ?? 0,
    failing: odd.failsAfterWrites ?? 0,
    expired: odd.expiredSessions ?? 0,
    looks: 0,
  };
  let version = 1;
  const media = odd.mediaBelowManager
    ? '/redfish/v1/Managers/1/VirtualMedia'
    : '/redfish/v1/Systems/1/VirtualMedia';
  const etagOf = (): string | undefined => odd.etag?.replace('N', String(version));

  const resource = (path: string): Json | undefined => {
    const slot = slots.findIndex((_types, index) => path === `${media}/${index}`);
    if (slot !== -1) return slotResource(slot);
    switch (path) {
      case '/redfish/v1/':
        return {
          RedfishVersion: '1.15.0',
          ...(!odd.withoutSessions && { Links: { Sessions: { '@odata.id': '/redfish/v1/Sessions' } } }),
        };
      case '/redfish/v1/Systems':
        return { Members: [{ '@odata.id': odd.leadsTo ?? '/redfish/v1/Systems/1' }] };
      case '/redfish/v1/Systems/1':
        return machine();
      case '/redfish/v1/Managers/1':
        return { VirtualMedia: { '@odata.id': media }, ...odd.manager };
      case '/redfish/v1/ResetInfo':
        return { Parameters: [{ Name: 'ResetType', AllowableValues: odd.resets }] };
      case '/redfish/v1/InsertInfo':
        return {
          Parameters: (odd.actionInfo ?? []).map((Name) => ({
            Name,
            Required: true,
            ...(Name === 'TransferProtocolType' && { AllowableValues: ['HTTP', 'HTTPS', 'NFS'] }),
          })),
        };
      case media:
        return { Members: slots.map((_types, index) => ({ '@odata.id': `${media}/${index}` })) };
      default:
        return others.get(path);
    }
  };
  const others = new Map(Object.entries(odd.resources ?? {}));
  const machine = (): Json => ({
    PowerState: state.power,
    ...(odd.hasResetTime && { LastResetTime: `2026-01-01T00:00:0${state.starts}Z` }),
    Boot: {
      BootSourceOverrideMode: 'Legacy',
      BootSourceOverrideEnabled: state.isOnce ? 'Once' : 'Disabled',
      BootSourceOverrideTarget: state.isOnce ? state.boot['BootSourceOverrideTarget'] : 'None',
      'BootSourceOverrideTarget@Redfish.AllowableValues': odd.targets ?? ['None', 'Pxe', 'Cd', 'Hdd'],
    },
    ...(odd.mediaBelowManager
      ? { Links: { ManagedBy: [{ '@odata.id': '/redfish/v1/Managers/1' }] } }
      : { VirtualMedia: { '@odata.id': media } }),
    Actions: {
      '#ComputerSystem.Reset': {
        target: '/redfish/v1/Systems/1/Reset',
        ...(odd.actionInfo
          ? { '@Redfish.ActionInfo': '/redfish/v1/ResetInfo' }
          : { 'ResetType@Redfish.AllowableValues': odd.resets ?? ['On', 'ForceOff', 'ForceRestart'] }),
      },
    },
    ...odd.machine,
  });
  const slotResource = (slot: number): Json => ({
    MediaTypes: slots[slot],
    Image: state.images[slot],
    Inserted: state.images[slot] !== '',
    ...odd.slot,
    ...(!odd.insertsByPatch && {
      Actions: {
        '#VirtualMedia.InsertMedia': {
          target: `${media}/${slot}/Insert`,
          ...(odd.actionInfo && { '@Redfish.ActionInfo': '/redfish/v1/InsertInfo' }),
          ...odd.insert,
        },
        '#VirtualMedia.EjectMedia': { target: `${media}/${slot}/Eject` },
      },
    }),
  });
  /** Returns undefined for success. */
  const write = (path: string, body: Json): readonly [number, Json] | undefined => {
    version += 1;
    if (path === '/redfish/v1/Systems/1/Reset') return reset(String(body['ResetType']));
    if (path === '/redfish/v1/Systems/1') {
      state.boot = body['Boot'] as Json;
      state.isOnce = true;
      return undefined;
    }
    const other = others.get(path);
    if (other !== undefined) {
      others.set(path, {
        ...other,
        Attributes: { ...(other['Attributes'] as Json), ...(body['Attributes'] as Json) },
      });
      return undefined;
    }
    const [, slot = '', action = ''] = new RegExp(`^${media}/(\\d)(?:/(\\w+))?$`).exec(path) ?? [];
    if (odd.repeatsImage)
      return [400, refusal('UnableToMount', [], `cannot fetch ${String(body['Image'])} as operator`)];
    const missing = (odd.demands ?? []).find((name) => action === 'Insert' && !(name in body));
    if (missing !== undefined)
      return [
        400,
        odd.complaint?.(missing) ??
          refusal('ActionParameterMissing', ['#VirtualMedia.InsertMedia', missing], 'it lacks something'),
      ];
    if (odd.losesMedium) return undefined;
    const image = body['Image'];
    state.images[Number(slot)] = action !== 'Eject' && typeof image === 'string' ? image : '';
    return undefined;
  };
  const reset = (type: string): readonly [number, Json] | undefined => {
    if (type === 'ForceRestart' && odd.refusesRestarts)
      return [409, refusal('ResourceInUse', [], 'it is busy')];
    const next = type === 'ForceOff' ? 'Off' : 'On';
    if (!['ForceRestart', 'PowerCycle'].includes(type) && next === state.power)
      return [409, refusal('ResourceInUse', [], 'it is so already')];
    state.power = next;
    if (next === 'On') {
      state.starts += 1;
      state.isOnce &&= odd.keepsOverride === true;
    }
    return undefined;
  };

  const answer = async (
    request: IncomingMessage,
  ): Promise<readonly [number, Json, Record<string, string>?] | undefined> => {
    const { method = '', url = '', headers } = request;
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (odd.hangsAt?.test(`${method} ${url}`)) return undefined;
    if (counts.busy > 0) {
      counts.busy -= 1;
      return [503, {}, { 'retry-after': '0' }];
    }
    if (method === 'POST' && url === '/redfish/v1/Sessions') {
      const given = JSON.parse(text) as Json;
      if (odd.withoutAccounts || given['UserName'] !== account.name || given['Password'] !== account.password)
        return [401, {}];
      const token = `token-of-session-${state.sessions.size}-${version}`;
      state.sessions.add(token);
      return [201, {}, { 'x-auth-token': token, location: `/redfish/v1/Sessions/${token}` }];
    }
    const token = String(headers['x-auth-token'] ?? '');
    const basic = `Basic ${Buffer.from(`${account.name}:${account.password}`).toString('base64')}`;
    if (url !== '/redfish/v1/') {
      if (counts.expired > 0 && state.sessions.has(token)) {
        counts.expired -= 1;
        version += 1;
        state.sessions.delete(token);
      }
      const isKnown = odd.withoutSessions ? headers.authorization === basic : state.sessions.has(token);
      if (!isKnown) return [401, {}];
    }
    if (method === 'DELETE') {
      state.sessions.delete(url.split('/').at(-1) ?? '');
      return [204, {}];
    }
    if (url === '/redfish/v1/Monitor') {
      counts.looks += 1;
      if (counts.looks % 2 === 1) return [202, {}, { location: '/redfish/v1/Monitor', 'retry-after': '0' }];
      if (odd.withTasks !== 'failing') return [204, {}];
      return [200, { TaskState: 'Exception', Messages: [{ Message: 'the share cannot be mounted' }] }];
    }
    if (url === '/redfish/v1/Systems' && odd.redirects !== undefined)
      return [307, {}, { location: odd.redirects }];
    if (method === 'GET') {
      const found = resource(url);
      const etag = etagOf();
      return found === undefined ? [404, {}] : [200, found, etag === undefined ? {} : { etag }];
    }
    writes.push(`${method} ${url} ${text}`);
    if (odd.redirectsWrites) return [307, {}, { location: 'http://192.0.2.66/' }];
    const body = JSON.parse(text) as Json;
    const turnedDown = odd.refuses?.({ method, path: url, body });
    if (turnedDown !== undefined) return turnedDown;
    const wanted = etagOf();
    if (method === 'PATCH' && wanted !== undefined) {
      if (headers['if-match'] === undefined) return [428, {}];
      if (headers['if-match'] !== wanted.replace(/^W\//, '')) return [412, {}];
    }
    const refused = write(url, body);
    odd.afterWrite?.();
    if (refused !== undefined) return refused;
    if (counts.failing > 0) {
      counts.failing -= 1;
      return [500, {}];
    }
    // An IPv6 address without its brackets.
    const monitor = `${odd.withTasks === 'nowhere' ? 'https://fe80::1' : ''}/redfish/v1/Monitor`;
    if (odd.withTasks === 'unnamed' && method === 'POST')
      return [202, { '@odata.type': '#Task.v1_4_3.Task', '@odata.id': '/redfish/v1/Monitor' }];
    return odd.withTasks && method === 'POST' ? [202, {}, { location: monitor }] : [204, {}];
  };

  const server: Server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on('request', (request: IncomingMessage, response) => {
    void answer(request).then((answered) => {
      if (answered === undefined) return;
      const [status, body, headers = {}] = answered;
      response.writeHead(status, headers).end(status === 204 ? '' : JSON.stringify(body));
    });
  });
  const port = await listeningPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, writes, state };
}

export function refusal(key: string, args: readonly string[], message: string): Json {
  return {
    error: {
      code: 'Base.1.8.GeneralError',
      message: 'A general error has occurred.',
      '@Message.ExtendedInfo': [{ MessageId: `Base.1.8.${key}`, MessageArgs: args, Message: message }],
    },
  };
}
