import { fileBlocks } from '../host/file-blocks.js';
import { STAGE_SCRIPT } from './stage-plan.js';

// Opens what bubblewrap reads and reports to while still privileged, joins the control groups, and becomes the rest.
const ENTER =
  'exec 9<"$1" 7>>"$2"; if [ "$3" != - ]; then ulimit -f "$3"; fi; shift 3; while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';
// Tells the host that everything was set up, runs the command, and names what it left: this namespace ends with us.
const GUEST = `
echo started >&7
exec 8>&2 2>/dev/null
"$@" 2>&8 7>&- 8>&-
code=$?
for place in /proc/[0-9]*; do
  case $place in /proc/1|/proc/$$) continue;; esac
  read -r stat < "$place/stat" && echo "left $stat" >&7
done
exit $code
`;

export interface Launch {
  /** File with bubblewrap's NUL-separated arguments: on a command line they would be seen inside, in /proc/1/cmdline. */
  argumentsFile: string;
  /** File that receives `started`. */
  statusFile: string;
  joinFiles: readonly string[];
  /** Largest file that may be written; null: no limit. */
  maxFileBytes: number | null;
  /**
   * Null where we are not root: then bubblewrap runs as we are. A further stage (`stageArguments`) lies in a mount namespace
   * of this command alone.
   */
  drop: { holderPid: number; uid: number; furtherStage: readonly string[] | null } | null;
  argv: readonly string[];
}

/** The command line on the host that runs `argv` inside. */
export function launcherLine(launch: Launch): string[] {
  return [
    'sh',
    '-c',
    ENTER,
    'featurearc-launch',
    launch.argumentsFile,
    launch.statusFile,
    fileBlocks(launch.maxFileBytes),
    ...launch.joinFiles,
    '--',
    ...(launch.drop === null ? [] : dropLine(launch.drop)),
    'bwrap',
    '--args',
    '9',
    '--',
    '/bin/sh',
    '-c',
    GUEST,
    'sh',
    ...launch.argv,
  ];
}

function dropLine({ holderPid, uid, furtherStage }: NonNullable<Launch['drop']>): string[] {
  const script = `${STAGE_SCRIPT}\nexec "$@"`;
  const staging = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'featurearc-stage'];
  return [
    'nsenter',
    `--mount=/proc/${holderPid}/ns/mnt`,
    '--',
    ...(furtherStage === null ? [] : [...staging, ...furtherStage]),
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(uid),
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--',
  ];
}
