/** The command line: one file per command, rendering for the terminal, exit codes set in one place. */
export { main } from './main.js';
