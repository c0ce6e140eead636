#!/usr/bin/env node
import { main } from '#cli/index.js';

// A reader that has seen enough (`| head`) closes the pipe: no fault of anybody's, and nobody is left to be told.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await main(process.argv.slice(2), process.stdout, process.stderr);
