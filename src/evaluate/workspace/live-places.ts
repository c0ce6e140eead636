import { join } from 'node:path';

/** The folders of an agent that live as long as its run: its workspace, its home, its /tmp, and the prompt it reads. */
export interface LivePlaces {
  workspace: string;
  home: string;
  tmp: string;
  /** Mounted read-only: the current stage's prompt.md and nothing else. */
  prompt: string;
}

export function livePlaces(live: string): LivePlaces {
  return {
    workspace: join(live, 'workspace'),
    home: join(live, 'home'),
    tmp: join(live, 'tmp'),
    prompt: join(live, 'prompt'),
  };
}
