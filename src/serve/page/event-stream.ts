import type { SiteWatch } from './site-watch.js';

/** The open response of a listener. */
export interface ListenerResponse {
  /** Returns false if the caller must wait for `drain`. */
  write(text: string): boolean;
  once(event: 'drain' | 'close', then: () => void): unknown;
  end(): unknown;
  destroy(): unknown;
}

/** The server-sent events of the page. */
export interface EventStream {
  /** Whether the maximum number of listeners is reached. */
  readonly isFull: () => boolean;
  /** Sends a listener all changes after its last event ID, while its session is valid. */
  readonly join: (response: ListenerResponse, listening: ListenerOptions) => void;
  /** The event ID of the current board; a listener can resume from it. */
  readonly id: () => string;
  /** Disconnects all listeners. */
  readonly close: () => void;
}

export interface ListenerOptions {
  /** The `Last-Event-ID` header. */
  readonly lastId: string;
  /** Whether the session is still valid. Nothing is sent after it ends. */
  readonly isGood: () => boolean;
}

export interface StreamContext {
  /** An ID of this server process. */
  readonly run: string;
  readonly now: () => Date;
  /** Called when the sites cannot be read; once until they can be read again. */
  readonly onFault: (error: unknown) => void;
}

export interface StreamLimits {
  readonly listeners: number;
  /** Interval between checks for changes. */
  readonly lookMs: number;
  /** Interval of comment lines, so that proxies do not close the connection as idle. */
  readonly heartbeatMs: number;
  /** A listener that has not read sent data after this time is disconnected. */
  readonly slowMs: number;
}

interface Listener {
  readonly response: ListenerResponse;
  readonly isGood: () => boolean;
  /** The board version that was sent last. */
  version: number;
  /** Since when the listener's buffer is full. Nothing is sent until it drains. */
  waitsSince?: number;
  sentAt: number;
}

/** The version of a listener without an event ID of this server process. */
const unknownVersion = -1;

/**
 * Sends changes as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). A `sites` event contains
 * the changed rows. An `all` event contains every row, for listeners of another server process. A `rollouts` event contains the
 * lines above the table. Nothing is queued for a slow listener: it gets all changes at once when it is ready.
 */
export function eventStream(
  watch: SiteWatch,
  limits: StreamLimits,
  { run, now, onFault }: StreamContext,
): EventStream {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  const nowMs = (): number => now().getTime();
  const eventsSince = textsOfBoard(watch, run);
  const send = (listener: Listener, text: string): void => {
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
      send(listener, text);
    } else if (nowMs() - listener.sentAt > limits.heartbeatMs) send(listener, ':\n\n');
  };
  const look = refreshReportingOnce(watch, onFault);
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
      send(listener, `retry: ${retryMs}\n\n`);
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

/** Reconnect delay of a browser. */
const retryMs = 3000;

/** Refreshes the board and never rejects. Reports only the first of consecutive errors. */
function refreshReportingOnce(watch: SiteWatch, onFault: (error: unknown) => void): () => Promise<void> {
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

/** Returns the event for a listener's version. Each text is built once and shared by listeners with the same version. */
function textsOfBoard({ board }: SiteWatch, run: string): (version: number) => string {
  let made = new Map<number, string>();
  let madeAt: number | undefined;
  return (from) => {
    const version = board.version();
    if (madeAt !== version) made = new Map();
    madeAt = version;
    const lines = board.summarySince(from);
    const text =
      made.get(from) ??
      // Without an ID, so that a listener that gets only this event repeats both.
      (lines === undefined ? '' : eventText({ event: 'rollouts', data: lines })) +
        eventText({
          id: `${run}.${version}`,
          event: from === unknownVersion ? 'all' : 'sites',
          data: from === unknownVersion ? board.rows() : board.since(from),
        });
    made.set(from, text);
    return text;
  };
}

/** The wire format of an event. JSON has no line breaks, so `data` is one line. */
function eventText({
  id,
  event,
  data,
}: {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
