import type { Topology, TopologyQuestion, TopologyRole } from '../history.js';

/** A file changed by a larger share of all commits is a hub. */
const CHANGED_SHARE = 0.1;
/** A file imported by a larger share of all importing files is a hub, in graphs that are not tiny. */
const IMPORTED_SHARE = 0.35;
const MIN_IMPORTERS = 12;

/** The topology role by rules: a module is a folder; hubs are told by how much depends on a file and how often it changes. */
export const topologyRules: TopologyRole = { topologyOf: async (question) => topologyByRules(question) };

function topologyByRules({ graph, lineages, changingCommits }: TopologyQuestion): Topology {
  const moduleOf = new Map<string, string>();
  const importers = new Map<string, number>();
  for (const [path, targets] of graph.edges) {
    moduleOf.set(path, folderName(path));
    for (const target of targets) {
      moduleOf.set(target, folderName(target));
      importers.set(target, (importers.get(target) ?? 0) + 1);
    }
  }
  const hubs = new Set<string>();
  const importLimit = Math.max(MIN_IMPORTERS, graph.edges.size * IMPORTED_SHARE);
  for (const [path, count] of importers) if (count > importLimit) hubs.add(path);
  const changeLimit = Math.max(MIN_IMPORTERS, changingCommits * CHANGED_SHARE);
  for (const { paths, touchedBy } of lineages)
    if (touchedBy.length > changeLimit) for (const path of paths) hubs.add(path);
  return { moduleOf, hubs };
}

function folderName(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
