// What is not TypeScript but ships: reporters and guest scripts are copied beside the compiled files.
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SHIPPED = /\.(?:py|mjs|cjs|sh|html|css)$/;

function copyTree(from, to) {
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    if (statSync(source).isDirectory()) copyTree(source, join(to, name));
    else if (SHIPPED.test(name)) cpSync(source, join(to, name));
  }
}

copyTree('src', 'dist');
