/** Folders of a tree are written with a final slash; the tree's top is ''. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The folder and every folder above it, the nearest first. */
export function foldersUp(folder: string): string[] {
  const folders = [folder];
  let at = folder;
  while (at !== '') {
    at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1);
    folders.push(at);
  }
  return folders;
}

/** A relative path from a folder, with `.` and `..` taken out; null where it leaves the tree. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
