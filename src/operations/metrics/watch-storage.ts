import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { dataPaths, type Config } from '../../platform/config.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { MetadataError } from '../../platform/metadata/metadata-error.ts'
import type { MetadataStats, MetadataStore } from '../../platform/metadata/metadata-store.ts'

const figures: Array<{ name: string, help: string, of: (stats: MetadataStats) => number }> = [
  {
    name: 'tabcast_lmdb_map_bytes',
    help: 'Address space of the record; it grows by itself while the disk has room.',
    of: ({ mapBytes }) => mapBytes
  },
  {
    name: 'tabcast_lmdb_used_bytes',
    help: "The record's file up to its last page in use.",
    of: ({ usedBytes }) => usedBytes
  },
  {
    name: 'tabcast_lmdb_free_pages',
    help: 'Pages of that which hold nothing and are written next.',
    of: ({ freePages }) => freePages
  },
  { name: 'tabcast_lmdb_readers', help: 'Places of readers that are taken.', of: ({ readers }) => readers },
  { name: 'tabcast_lmdb_max_readers', help: 'Places of readers that there are.', of: ({ maxReaders }) => maxReaders }
]

/**
 * Metrics of the record, the current uploads, and the disk under both. Callbacks and deliveries to be sent are counted
 * in the record.
 */
export function watchStorage (registry: Registry, config: Config, metadata: MetadataStore,
  room: Pick<DiskSpace, 'availableBytes'>): void {
  for (const { name, help, of } of figures) {
    registry.registerMetric(new Gauge({
      name,
      help,
      registers: [],
      collect () {
        setFromRecord(this, () => of(metadata.stats()))
      }
    }))
  }
  const callbacks = metadata.table('callbackDue')
  registry.registerMetric(
    new Gauge({
      name: 'tabcast_callbacks_pending',
      help: 'Callbacks that are still to be sent, those between two attempts included.',
      registers: [],
      collect () {
        setFromRecord(this, () => callbacks.count())
      }
    })
  )
  const deliveries = metadata.table('deliveryDue')
  registry.registerMetric(
    new Gauge({
      name: 'tabcast_deliveries_pending',
      help: "Results that are still to be written to a customer's store.",
      registers: [],
      collect () {
        setFromRecord(this, () => deliveries.count())
      }
    })
  )

  const { spool } = dataPaths(config)
  registry.registerMetric(
    new Gauge({
      name: 'tabcast_spool_bytes',
      help: 'Uploads under way, as they lie on the disk.',
      registers: [],
      async collect () {
        this.set(await bytesIn(spool))
      }
    })
  )
  watchDisk(registry, config, room)
}

function watchDisk (registry: Registry, { DATA_DIR: folder, DATA_DIR_MAX_BYTES: maxBytes }: Config,
  room: Pick<DiskSpace, 'availableBytes'>): void {
  registry.registerMetric(new Gauge({
    name: 'tabcast_disk_bytes',
    help: 'The data folder: the most that it may have, what uploads and results may still take, and what is free on ' +
      'its disk.',
    labelNames: ['kind'],
    registers: [],
    async collect () {
      const { bsize, blocks, bavail } = await statfs(folder)
      this.set({ kind: 'size' }, Math.min(blocks * bsize, maxBytes === 0 ? Infinity : maxBytes))
      this.set({ kind: 'available' }, room.availableBytes())
      this.set({ kind: 'free' }, bavail * bsize)
    }
  }))
}

/** While the record is being opened again after a failed write, its series are missing and the others go on. */
function setFromRecord (gauge: Gauge, read: () => number): void {
  try {
    gauge.set(read())
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error
    gauge.remove()
  }
}

async function bytesIn (folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => {
    try {
      return (await stat(join(folder, name))).size
    } catch (error) {
      // The file was moved to the store, or removed, after it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }))
  return sizes.reduce((sum, size) => sum + size, 0)
}
