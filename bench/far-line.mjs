// A line to somewhere far: node far-line.mjs PORT MS prints the port of 127.0.0.1 at which it takes what goes to PORT; whatever goes
// either way is half of MS on its way.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const [port, ms] = process.argv.slice(2).map(Number);

const server = createServer((near) => {
  const far = connect(port, '127.0.0.1');
  carry(near, far);
  carry(far, near);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(server.address().port);

/** Everything in its order: timers of one length end as they began. */
function carry(from, to) {
  const later = (what) => setTimeout(what, ms / 2);
  from.setNoDelay(true);
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
}
