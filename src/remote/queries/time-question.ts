import { createSocket } from 'node:dgram';
import { isIP, type LookupFunction } from 'node:net';

import { systemErrorCode } from '../../disk/file-system-problem.js';
import type { TimeAnswer } from '../preflight/answers.js';

/** What a time server is asked with. */
export interface TimeAsking {
  readonly lookup: LookupFunction;
  readonly present: () => Date;
  /** Another than NTP's, for tests. */
  readonly port?: number;
  readonly timeoutMs: number;
}

/** Source: RFC 5905 §7.3 */
const packetBytes = 48;
const ntpPort = 123;
/** From the beginning of NTP's seconds, in 1900, to that of Unix. Source: RFC 5905, figure 4 */
const secondsTo1970 = 2_208_988_800;

/** Asks a time server as a client of NTP, again after a third of the time; it ends after all of it. */
export async function askTime(server: string, asking: TimeAsking): Promise<TimeAnswer> {
  const address = await addressOf(server, asking.lookup);
  if (address === undefined) return { kind: 'unanswered', reason: 'its name has no address' };
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
      const question = questionAt(asking.present());
      questions.push(question);
      socket.send(question);
    };
    const late = setTimeout(() => {
      end({ kind: 'unanswered', reason: 'nothing came back in time' });
    }, asking.timeoutMs);
    const again = setInterval(ask, Math.ceil(asking.timeoutMs / 3));
    socket.on('error', (error) => {
      const isRefused = systemErrorCode(error) === 'ECONNREFUSED';
      end({ kind: 'unanswered', reason: isRefused ? 'nothing listens there' : 'it cannot be reached' });
    });
    socket.on('message', (packet) => {
      const answer = answerIn(packet, questions, asking.present());
      if (answer !== undefined) end(answer);
    });
    // A connected socket hears this server alone.
    socket.connect(asking.port ?? ntpPort, address, ask);
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

/** Version 4, mode 3 (client), and the time it was sent. */
function questionAt(sent: Date): Buffer {
  const packet = Buffer.alloc(packetBytes);
  packet.writeUInt8(0x23, 0);
  writeTime(packet, sent, 40);
  return packet;
}

/** Undefined for what answers none of the questions. */
function answerIn(packet: Buffer, questions: readonly Buffer[], received: Date): TimeAnswer | undefined {
  if (packet.length < packetBytes || (packet.readUInt8(0) & 7) !== 4) return undefined;
  const origin = packet.subarray(24, 32);
  const question = questions.find((each) => each.subarray(40, 48).equals(origin));
  if (question === undefined) return undefined;
  const [leap, stratum] = [packet.readUInt8(0) >> 6, packet.readUInt8(1)];
  // Leap 3 says that its clock is not set; stratum 0 is a refusal, 16 and more no clock at all.
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
