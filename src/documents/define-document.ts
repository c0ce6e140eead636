import { z } from 'zod';
import { Fault, messageOf } from '#kernel/faults.js';

/** One persisted document: its name, its newest version, its shape, and how older versions become the newest. */
export interface DocumentKind<T> {
  /** e.g. `task`; written as `featurearc/task@1`. */
  readonly name: string;
  readonly version: number;
  /** The value of the `schema` field of a document written now. */
  readonly schema: string;
  readonly shape: z.ZodType<T>;
  /** Parses JSON text. `where` is the file's name as the user knows it. @throws Fault (input) naming file and field. */
  parse(text: string, where: string): T;
  /** Checks an already parsed value. @throws Fault (input) naming file and field. */
  check(value: unknown, where: string): T;
  /** JSON text of the document with its schema line, two spaces of indentation and a final newline. */
  print(value: T): string;
}

export interface DocumentDefinition<T> {
  name: string;
  version: number;
  shape: z.ZodType<T>;
  /** `upgrade[n]` turns a value of version n into one of version n+1; every version from 1 has one. */
  upgrade?: Record<number, (old: Record<string, unknown>) => Record<string, unknown>>;
}

/**
 * Defines a persisted document. Older versions are upgraded in memory, newer ones refused, unknown keys kept
 * where the shape is loose.
 */
export function defineDocument<T>(definition: DocumentDefinition<T>): DocumentKind<T> {
  const { name, version, shape } = definition;
  const schema = `featurearc/${name}@${version}`;

  const check = (value: unknown, where: string): T => {
    const upgraded = upgradeValue(value, where, definition);
    const parsed = shape.safeParse(upgraded);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const field =
      issue === undefined || issue.path.length === 0 ? '(the document itself)' : issue.path.map(String).join('.');
    throw new Fault({
      code: 'document-invalid',
      kind: 'input',
      message: `${where}: field ${field}: ${issue?.message ?? 'invalid'}`,
      hint: `Compare it with schema/${name}.schema.json, the shape of ${schema}.`,
      context: { where, field, schema },
    });
  };

  return {
    name,
    version,
    schema,
    shape,
    check,
    parse: (text, where) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        throw new Fault({
          code: 'document-not-json',
          kind: 'input',
          message: `${where}: not valid JSON: ${messageOf(cause)}`,
          hint: 'The file was cut or edited by hand; restore it or make it again.',
          cause,
        });
      }
      return check(value, where);
    },
    print: (value) => `${JSON.stringify({ schema, ...(value as object) }, null, 2)}\n`,
  };
}

function upgradeValue<T>(value: unknown, where: string, { name, version, upgrade }: DocumentDefinition<T>): unknown {
  const header = z.looseObject({ schema: z.string() }).safeParse(value);
  if (!header.success) {
    throw new Fault({
      code: 'document-without-schema',
      kind: 'input',
      message: `${where}: field schema: missing`,
      hint: `A FeatureArc ${name} document begins with "schema": "featurearc/${name}@${version}".`,
    });
  }
  const match = /^featurearc\/([a-z-]+)@([0-9]+)$/.exec(header.data.schema);
  if (match === null || match[1] !== name) {
    throw new Fault({
      code: 'document-of-another-kind',
      kind: 'input',
      message: `${where}: field schema: ${JSON.stringify(header.data.schema)} where featurearc/${name}@${version} is read`,
      hint: 'Check that the right file is in this place.',
    });
  }
  const found = Number(match[2]);
  if (found > version) {
    throw new Fault({
      code: 'document-too-new',
      kind: 'input',
      message: `${where}: field schema: version ${found} is newer than ${version}, the newest that this program reads`,
      hint: 'Use a newer featurearc.',
    });
  }
  let { schema: _schema, ...rest } = header.data as Record<string, unknown>;
  for (let at = found; at < version; at += 1) {
    const step = upgrade?.[at];
    if (step === undefined) {
      throw new Fault({
        code: 'upgrade-missing',
        kind: 'internal',
        message: `${where}: no upgrade of ${name} from version ${at}`,
      });
    }
    rest = step(rest);
  }
  return rest;
}
