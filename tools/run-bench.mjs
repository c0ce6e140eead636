// `node tools/run-bench.mjs NAME [ARGS]` compiles and runs bench/NAME.ts; without a name it lists what there is.
import { readdirSync, readFileSync } from 'node:fs';
import { compile, installPackages, must } from './installed.mjs';

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  for (const file of readdirSync('bench').filter((entry) => entry.endsWith('.ts'))) {
    const first = readFileSync(`bench/${file}`, 'utf8').split('\n')[0] ?? '';
    process.stdout.write(
      `${file.replace('.ts', '').padEnd(20)} ${first.replace(/^\/[/*]+ ?/, '').replace(/ ?\*\/$/, '')}\n`,
    );
  }
} else {
  installPackages();
  compile();
  must(['npx', 'tsc', '-p', 'tsconfig.bench.json']);
  must(['node', '--expose-gc', `.bench/bench/${name}.js`, ...args]);
}
