// `npm run demo`: everything from a fresh clone to the printed table.
import { compile, installPackages, must } from './installed.mjs';

installPackages();
compile();
must(['node', 'dist/bin.js', 'demo', ...process.argv.slice(2)]);
