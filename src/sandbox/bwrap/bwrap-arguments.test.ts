import { describe, expect, it } from 'vitest';
import { bwrapArguments } from './bwrap-arguments.js';

const view = { etc: '/e', etcShared: ['/etc/alternatives'], mounts: [], env: {}, cwd: '/', sharesNetwork: false };

describe('bwrapArguments', () => {
  it('unshares everything, clears the environment and ends with a read-only root', () => {
    const args = bwrapArguments(view);
    for (const flag of ['--unshare-user', '--unshare-all', '--disable-userns', '--die-with-parent', '--new-session']) {
      expect(args).toContain(flag);
    }
    expect(args).toContain('--clearenv');
    expect(args).not.toContain('--share-net');
    expect(args.slice(args.lastIndexOf('--remount-ro'))).toEqual(['--remount-ro', '/', '--chdir', '/']);
  });

  it('mounts outer folders before what lies in them, whatever the order asked for', () => {
    const args = bwrapArguments({
      ...view,
      mounts: [
        { from: '/b', to: '/work/deep/inner', mode: 'ro' },
        { from: '/a', to: '/work', mode: 'rw' },
      ],
    });
    expect(args.indexOf('/work')).toBeLessThan(args.indexOf('/work/deep/inner'));
    expect(args[args.indexOf('/work') - 2]).toBe('--bind');
    expect(args[args.indexOf('/work/deep/inner') - 2]).toBe('--ro-bind');
  });

  it('brings the resolver only together with the network', () => {
    expect(bwrapArguments(view)).not.toContain('/etc/resolv.conf');
    expect(bwrapArguments({ ...view, sharesNetwork: true })).toEqual(
      expect.arrayContaining(['--share-net', '/etc/resolv.conf']),
    );
  });
});
