import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { onTestFinished } from 'vitest';

import { pathOfProgram } from './programs.js';
import { scratchFolder } from './scratch.js';

/** The headless browser, as packaged by Debian. */
export const browserProgram = 'chromium-headless-shell';

/** A value of `KeyboardEvent.key`. A single character is typed. */
export type Key = string;

export interface BrowserPage {
  /** Opens a URL and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** Runs an action that navigates, and waits until the new page is loaded. */
  readonly opening: (action: () => Promise<unknown>) => Promise<void>;
  /** The value of an expression in the page, as JSON. Awaits promises. Throws if the expression throws. */
  readonly is: <T>(expression: string) => Promise<T>;
  readonly press: (...keys: readonly Key[]) => Promise<void>;
  /** Sends a command of the Chrome DevTools protocol. */
  readonly ask: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Errors, warnings and blocked requests reported on the console. */
  readonly complaints: () => readonly string[];
  /** Requested URLs. */
  readonly requests: () => readonly string[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts a browser that is stopped at the end of the test. Certificate errors are ignored: the server's CA is self-signed. */
export async function browserPage(size = { width: 1280, height: 900 }): Promise<BrowserPage> {
  const send = startedBrowser();
  const created = await send.ask('Target.createTarget', { url: 'about:blank' });
  const attached = await send.ask('Target.attachToTarget', { targetId: created['targetId'], flatten: true });
  const sessionId = String(attached['sessionId']);
  const ask = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    send.ask(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await ask(`${domain}.enable`);
  await ask('Security.setIgnoreCertificateErrors', { ignore: true });
  await ask('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
  const is = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await ask('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { readonly result?: { readonly value: T }; readonly exceptionDetails?: object };
    if (exceptionDetails !== undefined || result === undefined)
      throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  const opening = async (action: () => Promise<unknown>): Promise<void> => {
    const loaded = send.next('Page.loadEventFired');
    await action();
    await loaded;
  };
  return {
    ask,
    is,
    opening,
    open: (url) => opening(() => ask('Page.navigate', { url })),
    press: async (...keys) => {
      for (const key of keys) {
        const typed = key.length === 1 ? { text: key } : (namedKeys[key] ?? {});
        await ask('Input.dispatchKeyEvent', { type: 'keyDown', key, ...typed });
        await ask('Input.dispatchKeyEvent', { type: 'keyUp', key, ...typed });
      }
    },
    complaints: send.complaints,
    requests: send.requests,
  };
}

/** The fields that the browser needs for keys that type no character. */
const namedKeys: Readonly<Record<string, object>> = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
};

function startedBrowser() {
  const program = pathOfProgram(browserProgram);
  if (program === undefined)
    throw new Error(`${browserProgram} is missing: apt-get install ${browserProgram}`);
  const args = [
    '--no-sandbox',
    '--remote-debugging-pipe',
    '--disable-gpu',
    `--user-data-dir=${scratchFolder()}`,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'close');
  const [, , , toBrowser, fromBrowser] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const awaited = new Map<string, () => void>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let last = 0;
  let text = '';
  fromBrowser.setEncoding('utf8').on('data', (more: string) => {
    const messages = `${text}${more}`.split('\0');
    text = messages.pop() ?? '';
    for (const each of messages) {
      const message = JSON.parse(each) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else if (message.method !== undefined) awaited.get(message.method)?.();
      const complaint = complaintIn(message);
      if (complaint !== undefined) complaints.push(complaint);
      if (message.method === 'Network.requestWillBeSent') requests.push(requestedIn(message));
    }
  });
  const ask = async (
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> => {
    last += 1;
    const id = last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    const { result, error } = await answer;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  // Debian's command is a shell script; ending it would not end the browser.
  onTestFinished(async () => {
    await ask('Browser.close');
    await exited;
  });
  return {
    ask,
    next: (method: string): Promise<void> => new Promise((resolve) => awaited.set(method, resolve)),
    complaints: () => complaints,
    requests: () => requests,
  };
}

function requestedIn({ params }: Message): string {
  return (params?.['request'] as { readonly url: string }).url;
}

/** The error text in a DevTools event, if any. */
function complaintIn({ method, params }: Message): string | undefined {
  if (method === 'Runtime.exceptionThrown') return JSON.stringify(params?.['exceptionDetails']);
  if (method === 'Runtime.consoleAPICalled') return JSON.stringify(params?.['args']);
  if (method !== 'Log.entryAdded') return undefined;
  const { level, text, url } = params?.['entry'] as Record<'level' | 'text' | 'url', string>;
  return level === 'error' || level === 'warning' ? `${text} ${url}` : undefined;
}
