import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A port of 127.0.0.1 that nobody listens at. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Somebody listens at a port of 127.0.0.1. */
export async function untilOpen(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}

/** Rejects when a program ends that is not to end. */
export async function failureOf(child, name) {
  await once(child, 'close');
  throw new Error(`${name} ended`);
}

/** What a program says first. Rejects when it ends before. */
export async function firstSaidBy(child, name) {
  const [said] = await Promise.race([once(child.stdout, 'data'), failureOf(child, name)]);
  return said;
}

/** Ends a program, and waits until it has. */
export async function stopped(child) {
  child.kill('SIGTERM');
  await once(child, 'close');
}
