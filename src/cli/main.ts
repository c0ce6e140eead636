import { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode, exitCodeOf } from '#kernel/exit-codes.js';
import { Fault } from '#kernel/faults.js';
import { COMMANDS } from './commands.js';
import {
  type CommandAction,
  type CommandContext,
  type GlobalOptions,
  listenForInterruption,
  type Streams,
} from './context.js';
import { faultJson, renderFault } from './render/fault.js';
import { progressLine } from './render/progress-line.js';
import { toolVersion } from './tool-version.js';

/** Runs one command line. @returns the exit code; never throws */
export async function main(
  argv: readonly string[],
  stdout: Streams['stdout'],
  stderr: Streams['stderr'],
): Promise<ExitCode> {
  const streams = { stdout, stderr };
  let exit: ExitCode = EXIT.yes;
  const program = new Command('featurearc')
    .description('Evaluates coding agents on features that keep evolving.')
    .version(toolVersion())
    .option('--json', 'one JSON value on stdout, everything else on stderr')
    .option('--debug', 'show where a fault came from')
    .option('--quiet', 'no progress')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError('(featurearc <command> --help shows an example)')
    .exitOverride();
  for (const define of COMMANDS) {
    const command = define((action) => async () => {
      exit = await runAction(action, program.opts<GlobalOptions>(), streams);
    });
    program.addCommand(command.exitOverride().copyInheritedSettings(program));
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.yes : EXIT.usage;
    return report(thrown, program.opts<GlobalOptions>(), streams);
  }
}

async function runAction(action: CommandAction, options: GlobalOptions, streams: Streams): Promise<ExitCode> {
  const line = progressLine(streams);
  const say = (text: string): void => {
    line.clear();
    streams.stderr.write(text);
  };
  const interruption = listenForInterruption(say);
  const context: CommandContext = {
    answer: (text, json) => {
      line.clear();
      streams.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : text);
    },
    note: (text) => say(`${text}\n`),
    progress: options.quiet ? () => undefined : line.progress,
    json: options.json ?? false,
    stopSoon: interruption.soon,
    stopNow: interruption.now,
  };
  try {
    const exit = await action(context);
    const signal = interruption.received();
    return signal === null ? exit : signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  } catch (thrown) {
    line.clear();
    const signal = interruption.received();
    if (signal !== null && (context.stopSoon.reason === thrown || context.stopNow.reason === thrown)) {
      streams.stderr.write('stopped; nothing was left behind\n');
      if (options.json) streams.stdout.write(`${JSON.stringify({ interrupted: signal })}\n`);
      return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    }
    const code = report(thrown, options, streams);
    return signal === null ? code : signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  } finally {
    line.clear();
    interruption.dispose();
  }
}

function report(thrown: unknown, options: GlobalOptions, streams: Streams): ExitCode {
  streams.stderr.write(renderFault(thrown, options.debug ?? false));
  if (options.json) streams.stdout.write(`${JSON.stringify(faultJson(thrown), null, 2)}\n`);
  return thrown instanceof Fault ? exitCodeOf(thrown.kind) : EXIT.internal;
}
