import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { setupConnectors } from '../../test/support/connector.ts'
import type { TestS3 } from '../../test/support/s3.ts'
import { median } from '../quantile.ts'
import { speedup, type Measurement } from '../result.ts'

const MiB = 2 ** 20
/** As many as the connector reads side by side. */
const lanes = 4

/** A source of many parts through the connector, in turn with the store's own client, both into files. */
export async function measureSourceRead (s3: TestS3, bucket: string, trial: boolean): Promise<Measurement> {
  const parts = trial ? 8 : 200
  const keys = Array.from({ length: parts }, (_, index) => `parts/part-${String(index).padStart(4, '0')}.csv`)
  const header = Buffer.from('item_id,timestamp,target\n')
  for (const key of keys) {
    await s3.client.putObject(bucket, key,
      Buffer.concat([header, Buffer.from(randomBytes(5 * MiB / 2).toString('hex'))]))
  }
  const ends: Array<() => unknown> = []
  const connectors = await setupConnectors({
    teardown: (end: () => unknown) => {
      ends.push(end)
    }
  } as Parameters<typeof setupConnectors>[0], s3)
  const input = connectors.input({ bucket, prefix: 'parts/' })
  const seconds = { ours: [] as number[], raw: [] as number[] }
  try {
    for (let round = 0; round < (trial ? 1 : 5); round++) {
      const folders = { raw: await connectors.scratch(), ours: await connectors.scratch() }
      seconds.raw.push(await timed(() => readRaw(s3, bucket, keys, folders.raw)))
      seconds.ours.push(await timed(async () => {
        const connector = connectors.open(input, 600_000)
        await connector.readData({ folder: folders.ours })
        connector.close()
      }))
      await Promise.all(Object.values(folders).map((folder) => rm(folder, { recursive: true })))
    }
  } finally {
    for (const end of ends.reverse()) await end()
  }
  return speedup({
    what: `read of a source of ${parts} parts of 5 MiB into files`,
    figure: median(seconds.ours),
    unit: 's',
    peer: { name: `the store's client, ${lanes} at a time`, figure: median(seconds.raw) },
    gate: { atLeast: 0.7 }
  })
}

async function readRaw ({ client }: TestS3, bucket: string, keys: readonly string[], folder: string): Promise<void> {
  const waiting = [...keys.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await client.fGetObject(bucket, next[1], join(folder, String(next[0])))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function timed (work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}
