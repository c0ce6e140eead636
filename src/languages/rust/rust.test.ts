import { describe, expect, it } from 'vitest';
import { rust } from './index.js';

async function read(source: string) {
  const facts = await rust.analyse(Buffer.from(source));
  if ('unparsed' in facts) throw new Error('unparsed');
  return facts;
}

describe('Rust', () => {
  it('gives methods of impl blocks to their type and marks inline tests', async () => {
    const source = `
/// A walker
#[derive(Debug)]
pub struct Walker<'a> { pub depth: usize, hidden: bool }
impl<'a> Walker<'a> { pub fn new() -> Self { todo!() } fn inner(&self) {} }
impl Iterator for Walker<'_> { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
pub trait Visit { fn go(&self); }
pub enum E { A, B(u8) }
#[cfg(test)]
mod tests { #[test] fn works() { assert_eq!(Walker::new().depth, calc(2)); } }
`;
    const facts = await read(source);
    expect(facts.parseErrors).toBe(0);
    expect(
      facts.definitions.map(
        ({ kind, qualifiedName, exported, inTest }) =>
          `${exported ? '+' : '-'}${inTest ? 't' : ''} ${kind} ${qualifiedName}`,
      ),
    ).toEqual([
      '+ class Walker',
      '+ field Walker.depth',
      '- field Walker.hidden',
      '+ method Walker.new',
      '- method Walker.inner',
      '+ type Walker.Item',
      '+ method Walker.next',
      '+ interface Visit',
      '+ method Visit.go',
      '+ enum E',
      '+ field E.A',
      '+ field E.B',
      '-t module tests',
      '-t function tests.works',
    ]);
    const walker = facts.definitions[0];
    expect(source.slice(walker?.start, walker?.end)).toContain('/// A walker');
    expect([...facts.calls.keys()]).toEqual(expect.arrayContaining(['new', 'calc', 'assert_eq']));
  });

  it('spreads use trees', async () => {
    const facts = await read(
      'use std::{io, path::{Path, PathBuf as PB}};\npub use crate::walk::*;\nuse fmt::{self, Debug};\n',
    );
    expect(
      facts.imports.map(({ specifier, names, localNames, reExport }) => [
        specifier,
        names.join(),
        localNames.join(),
        reExport,
      ]),
    ).toEqual([
      ['std', 'io', 'io', false],
      ['std::path', 'Path,PathBuf', 'Path,PB', false],
      ['crate::walk', '*', '', true],
      ['fmt', 'Debug', 'fmt,Debug', false],
    ]);
  });

  it('reads messages of errors and joins lines of a literal', async () => {
    const facts = await read(
      'fn f() { bail!("too \\\n   deep"); let s = r#"a"b"#; }\n#[error("not {0}")]\nstruct X;\n',
    );
    expect(facts.strings.map(({ value, inError }) => [value, inError])).toEqual([
      ['too deep', true],
      ['a"b', false],
      ['not {0}', true],
    ]);
  });
});
