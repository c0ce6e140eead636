import type { Command } from 'commander';
import { doctorCommand } from './commands/doctor.js';
import { reportCommand } from './commands/report.js';
import type { CommandAction } from './context.js';

/** Turns a command's work into what commander calls. */
export type Bind = (action: CommandAction) => () => Promise<void>;

/** Every command, in the order in which a user meets them. */
export const COMMANDS: readonly ((bind: Bind) => Command)[] = [reportCommand, doctorCommand];
