// Runs inside a sandbox: lets a program that can only speak to an address reach the model gateway, whose socket is a file.
// Usage: node forward.mjs PORT SOCKET COMMAND [ARGUMENT...]. Ends as the command ends.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [port, socket, program, ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path: socket, allowHalfOpen: true });
  // Either side may break at any time; the other then learns it by its own connection.
  inner.on('error', () => outer.destroy());
  outer.on('error', () => inner.destroy());
  inner.pipe(outer).pipe(inner);
});
server.on('error', (error) => {
  process.stderr.write(`cannot forward port ${port}: ${error.message}\n`);
  process.exit(125);
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
