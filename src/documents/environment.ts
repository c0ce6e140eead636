import { z } from 'zod';
import { defineDocument } from './define-document.js';

/** A command run inside a sandbox, without network, after a tree has been composed. */
export const environmentStep = z.looseObject({
  argv: z.array(z.string()).min(1),
  cwd: z.string(),
  timeoutMs: z.number().int().positive(),
});

/**
 * environment/environment.json: how the dependencies are made and how they are joined to a workspace. The content is one
 * tree, found by its digest in the environment store and never stored in the task.
 */
export const environmentShape = z.looseObject({
  /** Digest of the content tree. */
  digest: z.string(),
  recipe: z.looseObject({
    kind: z.enum(['empty', 'node', 'python']),
    /** Name and version of every tool that made it, e.g. {"node": "v20.20.2"}. */
    toolchains: z.record(z.string(), z.string()),
    /** Install commands as run in the networked sandbox. */
    install: z.array(z.array(z.string())),
    /** Manifest and lock files of S_0 it was made from (path keys), with digests; copies lie in environment/inputs/. */
    inputs: z.array(z.looseObject({ path: z.string(), digest: z.string() })),
    /** Exact versions installed, by package name. */
    packages: z.record(z.string(), z.string()),
  }),
  /** Folders of the content tree and where they are mounted read-only, relative to the workspace or absolute. */
  mounts: z.array(z.looseObject({ from: z.string(), to: z.string() })),
  /** Workspace-relative folders inside those mounts that tools write to; each run gets its own empty one. */
  scratch: z.array(z.string()),
  /** Workspace paths (keys) that belong to the environment. */
  owned: z.array(z.string()),
  /** Variables; `{workspace}` and `{environment}` stand for the paths inside the sandbox. */
  env: z.record(z.string(), z.string()),
  /** Folders put in front of PATH, with the same placeholders. */
  path: z.array(z.string()),
  prepare: z.array(environmentStep),
});
export type Environment = z.infer<typeof environmentShape>;

export const environmentDocument = defineDocument({ name: 'environment', version: 1, shape: environmentShape });
