import type { SiteWatch } from './site-watch.js';

/** The answer to a listener, which stays open. */
export interface ListenerAnswer {
  /** Whether more may be written at once, or only after `drain`. */
  write(text: string): boolean;
  once(event: 'drain' | 'close', then: () => void): unknown;
  end(): unknown;
  destroy(): unknown;
}

/** Who listens to changes of the page. */
export interface EventStream {
  /** Whether there are as many listeners as there may be. */
  readonly isFull: () => boolean;
  /** Tells a listener all that changes after what it knows, as long as it may look. */
  readonly join: (response: ListenerAnswer, listening: Listening) => void;
  /** The name of the board as it is, from which a listener goes on. */
  readonly id: () => string;
  /** Sends all away. */
  readonly close: () => void;
}

/** What a listener knows, and may. */
export interface Listening {
  /** Its `Last-Event-ID`. */
  readonly lastId: string;
  /** Whether its session is still good; it is told nothing once that has ended. */
  readonly isGood: () => boolean;
}

/** What a stream is told from outside. */
export interface StreamSurroundings {
  /** Tells one run of the server from another. */
  readonly run: string;
  readonly now: () => Date;
  /** Is told why sites could not be looked at, once until they can be. */
  readonly onFault: (error: unknown) => void;
}

/** How a stream behaves. */
export interface StreamLimits {
  readonly listeners: number;
  /** How often it is looked whether there is something to tell. */
  readonly lookMs: number;
  /** A line to all, so that nobody on the way takes the connection for a dead one. */
  readonly heartbeatMs: number;
  /** Who has not taken what was sent after this time is sent away. */
  readonly slowMs: number;
}

interface Listener {
  readonly response: ListenerAnswer;
  readonly isGood: () => boolean;
  /** The version of the board that it was told last. */
  version: number;
  /** Since when it has been taking what was sent; nothing more is sent before it has. */
  waitsSince?: number;
  sentAt: number;
}

/** Where a listener that knows nothing of this run of the server begins. */
const unknownVersion = -1;

/**
 * Tells listeners of changes by server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): a `sites` event has the
 * rows that changed, and an `all` event every one, for who knows those of another run. Nothing is kept for a listener that is slow: what
 * has changed meanwhile is told at once when it is ready.
 */
export function eventStream(
  watch: SiteWatch,
  limits: StreamLimits,
  { run, now, onFault }: StreamSurroundings,
): EventStream {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  const nowMs = (): number => now().getTime();
  const eventsSince = textsOfBoard(watch, run);
  const tell = (listener: Listener, text: string): void => {
    listener.sentAt = nowMs();
    if (listener.response.write(text)) return;
    listener.waitsSince = nowMs();
    listener.response.once('drain', () => {
      delete listener.waitsSince;
    });
  };
  const serve = (listener: Listener): void => {
    if (listener.waitsSince !== undefined) {
      if (nowMs() - listener.waitsSince > limits.slowMs) listener.response.destroy();
    } else if (!listener.isGood()) listener.response.end();
    else if (listener.version !== watch.board.version()) {
      const text = eventsSince(listener.version);
      listener.version = watch.board.version();
      tell(listener, text);
    } else if (nowMs() - listener.sentAt > limits.heartbeatMs) tell(listener, ':\n\n');
  };
  const look = lookTellingOnce(watch, onFault);
  const next = (): void => {
    timer = setTimeout(() => {
      void look().then(() => {
        listeners.forEach(serve);
        if (listeners.size > 0 && timer !== undefined) next();
        else timer = undefined;
      });
    }, limits.lookMs);
  };
  return {
    id: () => `${run}.${watch.board.version()}`,
    isFull: () => listeners.size >= limits.listeners,
    join: (response, { lastId, isGood }) => {
      const listener = { response, isGood, version: versionIn(lastId, run), sentAt: nowMs() };
      listeners.add(listener);
      response.once('close', () => listeners.delete(listener));
      tell(listener, `retry: ${retryMs}\n\n`);
      serve(listener);
      if (timer === undefined) next();
    },
    close: () => {
      clearTimeout(timer);
      timer = undefined;
      for (const { response } of listeners) response.end();
    },
  };
}

/** When a browser whose connection has broken comes again. */
const retryMs = 3000;

/** Looks, and never rejects: what goes wrong again and again is told the first time. */
function lookTellingOnce(watch: SiteWatch, onFault: (error: unknown) => void): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await watch.look();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFault(error);
      isFailing = true;
    }
  };
}

function versionIn(id: string, run: string): number {
  const [, of, digits = ''] = /^([\w-]+)\.(\d{1,15})$/.exec(id) ?? [];
  return of === run ? Number(digits) : unknownVersion;
}

/** The board as events, from a version on: made once for all who were told the same. */
function textsOfBoard({ board }: SiteWatch, run: string): (version: number) => string {
  let made = new Map<number, string>();
  let madeAt: number | undefined;
  return (from) => {
    const version = board.version();
    if (madeAt !== version) made = new Map();
    madeAt = version;
    const text =
      made.get(from) ??
      eventText({
        id: `${run}.${version}`,
        event: from === unknownVersion ? 'all' : 'sites',
        data: from === unknownVersion ? board.rows() : board.since(from),
      });
    made.set(from, text);
    return text;
  };
}

/** An event as it goes over the wire. The data is JSON, in which there is no line break. */
function eventText({
  id,
  event,
  data,
}: {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
