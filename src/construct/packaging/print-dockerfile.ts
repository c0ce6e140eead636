import type { Environment } from '#documents/environment.js';
import { pathBytes } from '#kernel/bytes.js';

/**
 * A Dockerfile that makes the environment's content from the inputs beside it, for people who want an image of their
 * own. The product itself imports the content tree and never builds this.
 */
export function printDockerfile({ recipe, digest, env }: Environment): string {
  const lines = [
    `# Content of the environment ${digest}. Build in this folder: docker build -t featurearc-environment .`,
    `FROM ${baseImage(recipe)}`,
    'WORKDIR /featurearc/env',
    ...recipe.inputs.map(({ path }) => {
      const name = pathBytes(path).toString('utf8');
      return `COPY ${JSON.stringify([`inputs/${name}`, `./${name}`])}`;
    }),
    ...recipe.install.map((argv) => `RUN ${JSON.stringify(argv)}`),
    ...Object.entries(env)
      .filter(([, value]) => !value.includes('{'))
      .map(([name, value]) => `ENV ${name}=${JSON.stringify(value)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function baseImage({ kind, toolchains }: Environment['recipe']): string {
  const version = (name: string): string | null => /[0-9]+(?:\.[0-9]+)+/.exec(toolchains[name] ?? '')?.[0] ?? null;
  if (kind === 'python') return `python:${version('python') ?? '3'}-slim-bookworm`;
  return `node:${version('node') ?? '20'}-bookworm-slim`;
}
