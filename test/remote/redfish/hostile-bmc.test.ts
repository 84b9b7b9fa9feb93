import { createServer, type ServerResponse } from 'node:http';

import { expect, onTestFinished, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { openBmc } from '../../../src/remote/redfish/bmc-client.js';
import { BmcFault } from '../../../src/remote/redfish/bmc-fault.js';
import { bootMachine } from '../../../src/remote/redfish/boot-machine.js';
import { readInventory } from '../../../src/remote/redfish/inventory/read-inventory.js';
import { listeningPort } from '../../support/ports.js';
import { scaledMs } from '../../support/time-scale.js';
import { account } from './fake-bmc.js';

/** Sends a response, or nothing. */
type Answer = (response: ServerResponse, url: string) => void;

const root = '/redfish/v1/';
const systems = '/redfish/v1/Systems';
const system = `${systems}/1`;

function json(value: unknown, status = 200): Answer {
  return (response) => response.writeHead(status).end(JSON.stringify(value));
}

function text(body: string): Answer {
  return (response) => response.end(body);
}

function redirect(location: string): Answer {
  return (response) => response.writeHead(307, { location }).end();
}

function links(count: number): readonly object[] {
  return Array.from({ length: count }, (_each, index) => ({ '@odata.id': `/redfish/v1/x/${index}` }));
}

/** Starts a server, and returns its origin and the paths of its requests. */
async function served(
  answers: Readonly<Record<string, Answer>>,
): Promise<{ origin: string; urls: string[] }> {
  const urls: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    urls.push(url);
    const [path = ''] = url.split('?');
    (answers[path] ?? json({}, 404))(response, url);
  });
  const port = await listeningPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, urls };
}

/** A BMC without sessions, with one system that has storage and virtual media. */
function bmc(more: Readonly<Record<string, Answer>>): Readonly<Record<string, Answer>> {
  return {
    [root]: json({ RedfishVersion: '1.15.0' }),
    [systems]: json({ Members: [{ '@odata.id': system }] }),
    [system]: json({
      PowerState: 'Off',
      Storage: { '@odata.id': `${system}/Storage` },
      EthernetInterfaces: { '@odata.id': `${system}/Nics` },
      VirtualMedia: { '@odata.id': `${system}/Media` },
      Actions: { '#ComputerSystem.Reset': { target: `${system}/Reset` } },
    }),
    [`${system}/Storage`]: json({ Members: [] }),
    [`${system}/Nics`]: json({ Members: [] }),
    [`${system}/Media`]: json({ Members: [] }),
    ...more,
  };
}

/** Fault of the inventory or of a boot, after the reasons of unread parts. Other errors fail the test. */
async function ends(origin: string, questionMs = scaledMs(3000)): Promise<readonly string[]> {
  const pacing = {
    questionMs,
    mediumMs: 1,
    signal: new AbortController().signal,
    present: () => new Date(),
    lookMs: 1,
    retryMs: 1,
  };
  const user = { name: account.name, password: new Redacted(account.password) };
  const nothing = (): Promise<void> => Promise.resolve();
  const boot = {
    imageUrl: 'https://media.example.com/x.iso',
    onFound: () => undefined,
    beforeStart: nothing,
    onRefused: nothing,
  };
  const found: string[] = [];
  try {
    const client = await openBmc({ origin, user, trust: {}, pacing, hidden: [] });
    try {
      const { unread } = await readInventory(client, undefined);
      found.push(...unread.map(({ part, reason }) => `${part}: ${reason}`));
      await bootMachine(client, boot);
    } finally {
      await client.leave();
    }
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    found.push(error.message);
  }
  return found;
}

const noMedia = 'it has no virtual media; a license may be required';
const manyEntries = 'the response contains a list with too many entries';
const elsewhere = 'redirected to another server';
const depth = 100_000;

const cases: readonly { name: string; answers: Readonly<Record<string, Answer>>; want: readonly string[] }[] =
  [
    {
      name: 'four megabytes of systems',
      answers: bmc({ [systems]: json({ Members: links(90_000) }) }),
      want: [manyEntries],
    },
    {
      name: 'a long list where none is expected',
      answers: bmc({ [system]: json({ Boot: { x: { y: links(90_000) } } }) }),
      want: [manyEntries],
    },
    {
      name: 'more systems than a list may have, on several pages',
      answers: bmc({
        [systems]: (response, url) => {
          const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 0);
          const Members = links(1500).map((_each, index) => ({
            '@odata.id': `/redfish/v1/x/${page}-${index}`,
          }));
          json({ Members, 'Members@odata.nextLink': `${systems}?page=${page + 1}` })(response, url);
        },
      }),
      want: ['a collection has too many members'],
    },
    {
      name: 'pages without an end',
      answers: bmc({
        [`${system}/Storage`]: (response, url) => {
          const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 0);
          json({ 'Members@odata.nextLink': `${system}/Storage?page=${page + 1}` })(response, url);
        },
      }),
      want: ['disks: a collection has too many pages', noMedia],
    },
    {
      name: 'more virtual media than a machine has',
      answers: bmc({
        [`${system}/Media`]: json({ Members: links(1500) }),
        ...Object.fromEntries(links(200).map((_each, index) => [`/redfish/v1/x/${index}`, json({})])),
      }),
      want: ['it has too many virtual media'],
    },
    {
      name: 'large resources without an end',
      answers: bmc({
        [`${system}/Storage`]: json({ Members: links(100) }),
        ...Object.fromEntries(
          links(100).map((_each, index) => [`/redfish/v1/x/${index}`, json({ x: 'x'.repeat(3_500_000) })]),
        ),
      }),
      want: ['disks: its resources are too large', noMedia],
    },
    {
      name: 'lists in lists',
      answers: bmc({ [systems]: text(`{"Members":${'['.repeat(depth)}${']'.repeat(depth)}}`) }),
      want: ['it has 0 systems; add the path of one to the address: /redfish/v1/Systems/…'],
    },
    {
      name: 'objects in objects',
      answers: bmc({ [system]: text(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) }),
      want: ['power control is not supported'],
    },
    {
      name: 'an error of objects in objects',
      answers: bmc({
        [system]: (response) => response.writeHead(400).end(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
      }),
      want: ['request failed (HTTP 400)'],
    },
    {
      name: 'an error with a long text and many messages',
      answers: bmc({
        [system]: json(
          {
            error: {
              message: 'x'.repeat(500_000),
              '@Message.ExtendedInfo': Array.from({ length: 2000 }, () => ({
                MessageId: 'A.B',
                Message: `a${' -a'.repeat(200)}`,
                MessageArgs: links(10),
              })),
            },
          },
          400,
        ),
      }),
      want: [`request failed (HTTP 400, B): a${' -a'.repeat(79)} -…`],
    },
    {
      name: 'a body without an end',
      answers: bmc({
        [system]: (response) => {
          const more = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            if (!response.destroyed) response.once('drain', more);
          };
          more();
        },
      }),
      want: ['the response is too large'],
    },
    { name: 'no JSON', answers: bmc({ [system]: text('<html>') }), want: ['power control is not supported'] },
    {
      name: 'a list for an object',
      answers: bmc({ [systems]: text('[1,2]') }),
      want: ['it has 0 systems; add the path of one to the address: /redfish/v1/Systems/…'],
    },
    {
      name: 'a redirect to itself',
      answers: bmc({ [systems]: redirect(systems) }),
      want: ['too many redirects'],
    },
    {
      name: 'links of wrong types',
      answers: bmc({
        [system]: json({
          Storage: { '@odata.id': 7 },
          EthernetInterfaces: [{}],
          Links: { Chassis: 'x', ManagedBy: { a: 1 } },
          Boot: null,
          Actions: { '#ComputerSystem.Reset': { target: 7 } },
        }),
      }),
      want: ['power control is not supported'],
    },
  ];

test.each(cases)('a BMC with $name fails by itself', async ({ answers, want }) => {
  const { origin } = await served(answers);
  expect(await ends(origin)).toEqual(want);
});

/** `at`: host and port of another server. */
const misleading: readonly { name: string; answers: (at: string) => Readonly<Record<string, Answer>> }[] = [
  {
    name: 'its sessions',
    answers: (at) =>
      bmc({ [root]: json({ RedfishVersion: '1', Links: { Sessions: { '@odata.id': `http://${at}/s` } } }) }),
  },
  {
    name: 'a system',
    answers: (at) => bmc({ [systems]: json({ Members: [{ '@odata.id': `http://${at}/s` }] }) }),
  },
  {
    name: 'a system without scheme',
    answers: (at) => bmc({ [systems]: json({ Members: [{ '@odata.id': `//${at}/s` }] }) }),
  },
  {
    name: 'a system with backslashes',
    answers: (at) => bmc({ [systems]: json({ Members: [{ '@odata.id': `\\\\${at}\\s` }] }) }),
  },
  {
    name: 'a next page whose path is an address',
    answers: (at) =>
      bmc({ [systems]: json({ Members: [], 'Members@odata.nextLink': `https://bmc//${at}/s` }) }),
  },
  { name: 'a redirect', answers: (at) => bmc({ [systems]: redirect(`http://${at}/s`) }) },
];

test.each(misleading)(
  'a BMC that leads elsewhere with $name gets its password to no other server',
  async ({ answers }) => {
    const other = await served({});
    const { origin } = await served(answers(new URL(other.origin).host));
    expect(await ends(origin)).toEqual([elsewhere]);
    expect(other.urls).toEqual([]);
  },
);

test('a BMC that answers byte by byte ends with its time limit', async () => {
  const { origin } = await served(
    bmc({
      [systems]: (response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => {
          clearInterval(timer);
        });
      },
    }),
  );
  expect(await ends(origin, 100)).toEqual(['timed out']);
});
