// Runs a TypeScript file of this project in a process of its own, for tests that kill a harness or start it as another
// user. Usage: node run-source.mjs FILE [ARGUMENT...]
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  resolve: { alias: [{ find: /^#(.*)\.js$/, replacement: `${root}src/$1.ts` }] },
});
const [file] = process.argv.splice(2, 1);
await server.ssrLoadModule(file);
await server.close();
