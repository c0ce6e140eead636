/** Finds the agreed identity behind the one that a commit names. */
export type Mailmap = (name: string, email: string | null) => { name: string; email: string | null };

interface Entry {
  properName: string | null;
  properEmail: string | null;
}

/** Reads a `.mailmap` (gitmailmap(5)); names and addresses compare without regard to case, later lines win. */
export function readMailmap(content: string): Mailmap {
  const byEmail = new Map<string, Entry>();
  const byBoth = new Map<string, Entry>();
  for (const line of content.split('\n')) {
    const match = /^\s*([^<#][^<]*?)?\s*<([^>]*)>\s*(?:([^<]*?)\s*<([^>]*)>)?/.exec(line);
    if (match === null) continue;
    const [, first = '', firstEmail = '', second = '', secondEmail] = match;
    const properName = first === '' ? null : first;
    const entry: Entry = { properName, properEmail: secondEmail === undefined ? null : firstEmail };
    const email = (secondEmail ?? firstEmail).toLowerCase();
    if (second === '') byEmail.set(email, { ...byEmail.get(email), ...withoutNulls(entry) } as Entry);
    else byBoth.set(`${second.toLowerCase()}\0${email}`, entry);
  }
  return (name, email) => {
    const key = email?.toLowerCase() ?? '';
    const found = byBoth.get(`${name.toLowerCase()}\0${key}`) ?? byEmail.get(key);
    return { name: found?.properName ?? name, email: found?.properEmail ?? email };
  };
}

function withoutNulls(entry: Entry): Partial<Entry> {
  return {
    ...(entry.properName === null ? {} : { properName: entry.properName }),
    ...(entry.properEmail === null ? {} : { properEmail: entry.properEmail }),
  };
}
