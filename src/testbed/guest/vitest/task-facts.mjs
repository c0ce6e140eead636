// Reads vitest's task objects (file, suite, test), whose fields have been the same from version 0.34 to 4.
const MESSAGE_CHARACTERS = 4000;

/** Every test below a file with its titles from the outside in, in the order of the source. */
export function testsOf(file) {
  const found = [];
  const seen = new Map();
  const walk = (task, path, above) => {
    for (const child of task.tasks ?? []) {
      const titles = [...path, child.name];
      if (child.type === 'suite') {
        walk(child, titles, [...above, child]);
        continue;
      }
      const id = JSON.stringify(titles);
      const ordinal = seen.get(id) ?? 0;
      seen.set(id, ordinal + 1);
      const meantToRun = child.mode !== 'skip' && child.mode !== 'todo';
      found.push({ task: child, path: titles, ordinal, above, meantToRun });
    }
  };
  walk(file, [], [file]);
  return found;
}

/** Every suite below a file that has errors of its own: a hook or the suite's body failed. */
export function brokenSuitesOf(file) {
  const found = [];
  const walk = (task, path) => {
    for (const child of task.tasks ?? []) {
      if (child.type !== 'suite') continue;
      const titles = [...path, child.name];
      if (errorsOf(child).length > 0) found.push({ path: titles, message: messageOf(child) });
      walk(child, titles);
    }
  };
  walk(file, []);
  return found;
}

export function errorsOf(task) {
  return task.result?.errors ?? (task.result?.error === undefined ? [] : [task.result.error]);
}

export function messageOf(task) {
  const [first] = errorsOf(task);
  return first === undefined ? null : shown(first);
}

export function shown(error) {
  const text = error?.stack ?? error?.stackStr ?? error?.message ?? String(error);
  const named =
    typeof error?.message === 'string' && !String(text).includes(error.message) ? `${error.message}\n${text}` : text;
  return String(named).slice(0, MESSAGE_CHARACTERS);
}

/**
 * A test's status, or null while it has none.
 * @param test.meantToRun whether the file itself asked for it to run, before hooks or the runner decided otherwise
 * @param final nothing further will be heard of it
 */
export function statusOf({ task, above, meantToRun }, final) {
  const state = task.result?.state;
  if (task.mode === 'todo' || state === 'todo') return { status: 'todo', failing: false };
  if (state === 'pass') {
    // The first attempt failed: a repetition proves nothing.
    if ((task.result.retryCount ?? 0) > 0)
      return { status: 'fail', failing: false, message: 'passed only when tried again' };
    return { status: task.fails ? 'xfail' : 'pass', failing: false };
  }
  if (state === 'fail') {
    const message = messageOf(task);
    if (task.fails) return { status: 'xpass', failing: true, message };
    const late = errorsOf(task).some((error) => String(error?.message).startsWith('Test timed out in'));
    return { status: late ? 'timeout' : 'fail', failing: true, message };
  }
  const skipped = state === 'skip' || task.mode === 'skip';
  // Whether a hook above failed is known at the end only; versions before 2 say nothing at all of such a test.
  if (meantToRun && !final) return null;
  const broken = meantToRun ? above.find((suite) => errorsOf(suite).length > 0) : undefined;
  if (broken !== undefined) return { status: 'error', failing: true, message: messageOf(broken) };
  return skipped ? { status: 'skip', failing: false } : null;
}

/** Why a file as a whole brought no tests, or null. */
export function loadFailureOf(file) {
  const errors = errorsOf(file);
  if (errors.length === 0 || (file.tasks ?? []).length > 0) return null;
  const text = errors.map((error) => `${error?.name}: ${error?.code} ${error?.message}`).join('\n');
  if (/No test (?:suite )?found in/.test(text)) return { kind: 'none', message: messageOf(file) };
  const compile = /^SyntaxError|Transform failed|PARSE_ERROR|Parse failure|Unexpected token|Expression expected/m.test(
    text,
  );
  return { kind: compile ? 'compile' : 'collect', message: messageOf(file) };
}
