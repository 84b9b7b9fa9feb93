import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An unused port of 127.0.0.1. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when a port of 127.0.0.1 accepts connections. */
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

/** Rejects when a program that should keep running exits. */
export async function failureOf(child, name) {
  await once(child, 'close');
  throw new Error(`${name} ended`);
}

/** The first output of a program. Rejects if it exits before. */
export async function firstSaidBy(child, name) {
  const [said] = await Promise.race([once(child.stdout, 'data'), failureOf(child, name)]);
  return said;
}

/** Stops a program and waits for its exit. */
export async function stopped(child) {
  child.kill('SIGTERM');
  await once(child, 'close');
}
