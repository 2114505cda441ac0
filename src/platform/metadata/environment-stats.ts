import type { RootDatabase } from 'lmdb'
import type { MetadataStats } from './metadata-store.ts'
import type { RawDatabase } from './raw-database.ts'

interface TreePages {
  treeBranchPageCount: number
  treeLeafPageCount: number
  overflowPages: number
}
/** The figures of mdb_env_info and mdb_stat, which the library does not type. */
interface RawStats extends TreePages {
  pageSize: number
  mapSize: number
  lastPageNumber: number
  maxReaders: number
  numReaders: number
  root: TreePages
  free: TreePages
}

/** The two pages at the start of the file, which point to the newest commits. */
const metaPages = 2

/** LMDB's own figures; no record is read for them. */
export function environmentStats (root: RootDatabase, databases: Iterable<RawDatabase>): MetadataStats {
  const stats = root.getStats() as unknown as RawStats
  const pages = stats.lastPageNumber + 1
  const trees = [stats.root, stats.free,
    ...[...databases].map((database) => database.getStats() as unknown as TreePages)]
  const inUse = trees.reduce(
    (sum, tree) => sum + tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages,
    metaPages
  )
  return {
    mapBytes: stats.mapSize,
    pageBytes: stats.pageSize,
    usedBytes: pages * stats.pageSize,
    freePages: Math.max(0, pages - inUse),
    readers: stats.numReaders,
    maxReaders: stats.maxReaders
  }
}
