import type { Exchange } from './send-file.js';
import type { Answered } from './serve-log.js';

/** Who is told of an answer, and how long one may take. */
export interface AnswerWatch {
  readonly now: () => Date;
  readonly totalMs: number;
  readonly log: (answered: Answered) => void;
  /** What was answered, once that is known. */
  readonly what: () => string | undefined;
}

/** Tells of an answer when it has ended, and ends one that takes too long together with its connection. */
export function watchAnswer({ request, reply }: Exchange, { now, totalMs, log, what }: AnswerWatch): void {
  const [at, { raw }] = [now(), reply];
  const { socket } = request.raw;
  const sentBefore = socket.bytesWritten;
  const late = setTimeout(() => {
    socket.destroy();
  }, totalMs);
  raw.once('close', () => {
    clearTimeout(late);
    const named = what();
    log({
      at,
      client: request.ip,
      method: request.method,
      ...(named !== undefined && { what: named }),
      status: raw.statusCode,
      sentBytes: socket.bytesWritten - sentBefore,
      tookMs: now().getTime() - at.getTime(),
      isCut: !raw.writableFinished,
    });
  });
}
