import type { Command } from 'commander';
import { autoCommand } from './commands/auto.js';
import { buildCommand } from './commands/build.js';
import { checkCommand } from './commands/check.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { envCommand } from './commands/env.js';
import { gradeCommand } from './commands/grade.js';
import { mineCommand } from './commands/mine.js';
import { reportCommand } from './commands/report.js';
import { runCommand } from './commands/run.js';
import type { Bind } from './context.js';

/** Every command, in the order in which a user meets them. */
export const COMMANDS: readonly ((bind: Bind) => Command)[] = [
  demoCommand,
  mineCommand,
  buildCommand,
  checkCommand,
  autoCommand,
  runCommand,
  gradeCommand,
  reportCommand,
  envCommand,
  doctorCommand,
];
