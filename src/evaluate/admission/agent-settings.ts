import type { Repository, TreeFiles } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import type { Finding } from './finding.js';

interface SettingsKind {
  pattern: RegExp;
  what: string;
  /** Keys in such a JSON file that put something between the agent and its prompt or its tools. */
  intercepting: readonly string[] | 'always' | 'never';
}

const KINDS: readonly SettingsKind[] = [
  {
    pattern: /^(?:.*\/)?\.claude\/settings(?:\.local)?\.json$/,
    what: 'settings of Claude Code',
    intercepting: ['hooks', 'permissions', 'env', 'apiKeyHelper', 'statusLine', 'model'],
  },
  { pattern: /^(?:.*\/)?\.mcp\.json$/, what: 'tool servers that an agent would start', intercepting: 'always' },
  {
    pattern: /^(?:.*\/)?\.(?:gemini|qwen)\/settings\.json$/,
    what: 'settings of Gemini CLI or Qwen Code',
    intercepting: ['hooks', 'mcpServers', 'tools', 'model'],
  },
  { pattern: /^(?:.*\/)?\.codex\/(?:config\.toml|hooks\.json)$/, what: 'settings of Codex', intercepting: 'always' },
  {
    pattern: /^(?:.*\/)?\.?opencode(?:\/opencode)?\.jsonc?$/,
    what: 'settings of OpenCode',
    intercepting: ['mcp', 'plugin', 'permission', 'provider', 'model'],
  },
  { pattern: /^(?:.*\/)?\.opencode\/(?:plugin|tool)s?\/.+$/, what: 'a plugin of OpenCode', intercepting: 'always' },
  {
    pattern: /^(?:.*\/)?\.(?:claude|codex|gemini|qwen|opencode)\/.+$/,
    what: 'material for an agent',
    intercepting: 'never',
  },
  {
    pattern: /^(?:.*\/)?(?:CLAUDE|AGENTS|GEMINI|QWEN)(?:\.local|\.override)?\.md$/,
    what: 'instructions for agents',
    intercepting: 'never',
  },
  {
    pattern:
      /^(?:.*\/)?(?:\.cursorrules|\.cursor\/.+|\.windsurfrules|\.clinerules|\.aider.*|\.github\/copilot-instructions\.md)$/,
    what: 'settings of an editor’s agent',
    intercepting: 'never',
  },
  {
    pattern: /^(?:.*\/)?(?:\.githooks\/.+|\.husky\/.+|\.pre-commit-config\.yaml|lefthook\.ya?ml)$/,
    what: 'git hooks, which are not installed in a workspace',
    intercepting: 'never',
  },
  { pattern: /^(?:.*\/)?\.vscode\/tasks\.json$/, what: 'editor tasks', intercepting: 'never' },
];

const MAX_BYTES = 1024 * 1024;

/**
 * Settings and hooks for agents in the code that an agent starts from. What stands between an agent and its prompt or
 * tools makes scores incomparable and is refused; the rest is listed.
 */
export async function findAgentSettings(repository: Repository, initial: TreeFiles): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [path, file] of initial) {
    const kind = KINDS.find(({ pattern }) => pattern.test(path));
    if (kind === undefined) continue;
    const intercepts = await interception(kind, file.mode === '160000' ? null : () => repository.readBlob(file.oid));
    findings.push({
      code: intercepts === null ? 'agent-settings' : 'agent-settings-intercept',
      severity: intercepts === null ? 'note' : 'refusal',
      file: showPath(pathBytes(path)),
      field: intercepts,
      message: `the initial state holds ${kind.what}${intercepts === null ? '' : ', which stand between an agent and its prompt or tools'}`,
      hint:
        intercepts === null
          ? 'Agents that read it work under it; it is recorded.'
          : 'Remove the file from all states (build it anew without it).',
    });
  }
  return findings;
}

/** @returns the field that intercepts, '(file)' for the whole; null where nothing does */
async function interception(kind: SettingsKind, read: (() => Promise<Buffer>) | null): Promise<string | null> {
  if (kind.intercepting === 'never' || read === null) return null;
  if (kind.intercepting === 'always') return '(file)';
  const content = await read();
  if (content.length > MAX_BYTES) return '(file)';
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    if (value === null || typeof value !== 'object') return null;
    return kind.intercepting.find((key) => Object.hasOwn(value, key)) ?? null;
  } catch {
    // Comments are allowed in some of these files; what cannot be read is not waved through.
    return '(file)';
  }
}
