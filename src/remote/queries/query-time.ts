import { createSocket } from 'node:dgram';
import { isIP, type LookupFunction } from 'node:net';

import { systemErrorCode } from '../../disk/system-error.js';
import type { TimeAnswer } from '../preflight/answers.js';

/** Parameters of an NTP request. */
export interface TimeQuery {
  readonly lookup: LookupFunction;
  readonly present: () => Date;
  /** UDP port, for tests. Default: 123. */
  readonly port?: number;
  readonly timeoutMs: number;
}

/** Source: RFC 5905 §7.3 */
const packetBytes = 48;
const ntpPort = 123;
/** Seconds from the NTP epoch, 1900, to the Unix epoch. Source: RFC 5905, figure 4 */
const secondsTo1970 = 2_208_988_800;

/** Sends an NTP request, and repeats it after each third of the timeout. */
export async function queryTime(server: string, query: TimeQuery): Promise<TimeAnswer> {
  const address = await addressOf(server, query.lookup);
  if (address === undefined) return { kind: 'unanswered', reason: 'host name does not resolve' };
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    const questions: Buffer[] = [];
    const end = (answer: TimeAnswer): void => {
      clearTimeout(late);
      clearInterval(again);
      socket.close();
      resolve(answer);
    };
    const ask = (): void => {
      const question = questionAt(query.present());
      questions.push(question);
      socket.send(question);
    };
    const late = setTimeout(() => {
      end({ kind: 'unanswered', reason: 'timed out' });
    }, query.timeoutMs);
    const again = setInterval(ask, Math.ceil(query.timeoutMs / 3));
    socket.on('error', (error) => {
      const isRefused = systemErrorCode(error) === 'ECONNREFUSED';
      end({ kind: 'unanswered', reason: isRefused ? 'connection refused' : 'unreachable' });
    });
    socket.on('message', (packet) => {
      const answer = answerIn(packet, questions, query.present());
      if (answer !== undefined) end(answer);
    });
    // A connected UDP socket receives packets of this server only.
    socket.connect(query.port ?? ntpPort, address, ask);
  });
}

function addressOf(server: string, lookup: LookupFunction): Promise<string | undefined> {
  if (isIP(server) !== 0) return Promise.resolve(server);
  return new Promise((resolve) => {
    lookup(server, { all: false }, (error, address) => {
      resolve(error === null && typeof address === 'string' ? address : undefined);
    });
  });
}

/** NTP request: version 4, mode 3 (client), with its transmit time. */
function questionAt(sent: Date): Buffer {
  const packet = Buffer.alloc(packetBytes);
  packet.writeUInt8(0x23, 0);
  writeTime(packet, sent, 40);
  return packet;
}

/** Undefined if the packet answers none of the requests. */
function answerIn(packet: Buffer, questions: readonly Buffer[], received: Date): TimeAnswer | undefined {
  if (packet.length < packetBytes || (packet.readUInt8(0) & 7) !== 4) return undefined;
  const origin = packet.subarray(24, 32);
  const question = questions.find((each) => each.subarray(40, 48).equals(origin));
  if (question === undefined) return undefined;
  const [leap, stratum] = [packet.readUInt8(0) >> 6, packet.readUInt8(1)];
  // Leap 3: the clock is not synchronized. Stratum 0: the request is rejected. 16 and above: unsynchronized.
  if (leap === 3 || stratum === 0 || stratum > 15) return { kind: 'unsynchronised' };
  const here = readTime(question, 40) + received.getTime() / 1000 + secondsTo1970;
  const aheadSeconds = (readTime(packet, 32) + readTime(packet, 40) - here) / 2;
  return { kind: 'time', aheadSeconds, stratum };
}

function writeTime(packet: Buffer, time: Date, offset: number): void {
  const seconds = time.getTime() / 1000 + secondsTo1970;
  packet.writeUInt32BE(Math.floor(seconds) % 2 ** 32, offset);
  packet.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), offset + 4);
}

function readTime(packet: Buffer, offset: number): number {
  return packet.readUInt32BE(offset) + packet.readUInt32BE(offset + 4) / 2 ** 32;
}
