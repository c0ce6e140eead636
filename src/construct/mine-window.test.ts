import { describe, expect, it } from 'vitest';
import type { MineRequest } from './mine-request.js';
import { keyOfArgument, withPlainWindow } from './mine-window.js';

const request: MineRequest = { repository: 'r', outFolder: 'o', cacheFolder: 'c', toolVersion: '1' };
const pathsOf = (paths: string[]): string[] | undefined => withPlainWindow({ ...request, paths }).paths;

describe('the window that is mined', () => {
  it('takes paths as people write them', () => {
    expect(pathsOf(['./src', 'src/', 'src', './/src/./', 'lib//a'])).toEqual(['src', 'lib/a']);
    expect(pathsOf(['.hidden', 'a..b'])).toEqual(['.hidden', 'a..b']);
  });

  it('is the whole repository where its top is named, or nothing', () => {
    expect(pathsOf(['src', './'])).toBeUndefined();
    expect(pathsOf([])).toBeUndefined();
  });

  it.each(['', '/src', '../src', 'src/../lib', 'src/..'])('refuses the path %j', (path) => {
    expect(() => pathsOf([path])).toThrow(
      expect.objectContaining({ code: 'path-not-inside', kind: 'input', hint: expect.stringMatching(/relative/) }),
    );
  });

  it('refuses a time that ends before it begins, and takes an instant', () => {
    expect(() => withPlainWindow({ ...request, sinceMs: 2, untilMs: 1 })).toThrow(
      expect.objectContaining({ code: 'window-empty', kind: 'input' }),
    );
    expect(withPlainWindow({ ...request, sinceMs: 2, untilMs: 2 })).toMatchObject({ sinceMs: 2, untilMs: 2 });
  });

  it('knows the paths of arguments by their bytes in UTF-8', () => {
    expect(keyOfArgument('é')).toBe('\xc3\xa9');
  });
});
