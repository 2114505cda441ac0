import { pino } from 'pino'
import { ulid } from 'ulid'
import { messageVersion } from '../../src/domain/message-version.ts'
import { release } from '../../src/platform/process/release.ts'
import { connectQueue, type Queue } from '../../src/platform/queue/index.ts'

/*
 * node fleet-process.js URL TOKEN WORKERS: workers that say all that real ones say of shards, and compute nothing. It
 * writes a line when all are connected, and ends when its input does.
 */
const [url = '', token = '', workers = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const heartbeatMs = 2_000
const pullMs = 5_000
const over = new AbortController()

async function work (queue: Queue): Promise<void> {
  while (!over.signal.aborted) {
    const handle = await queue.nextShard(pullMs)
    if (handle === undefined) continue
    const { jobId, shard, plan: { prefix: plan } } = handle.message
    const maker = ulid()
    const unsubscribe = [
      queue.onCancel(jobId, () => undefined),
      queue.onShardsOver(jobId, () => undefined),
      queue.onShardNews(jobId, shard, () => undefined)
    ]
    queue.publishShardNews({ v: messageVersion, jobId, plan, shard, maker, state: 'taken' })
    queue.publishShardNews({ v: messageVersion, jobId, plan, shard, maker, state: 'done' })
    handle.ack()
    for (const end of unsubscribe) end()
  }
}

function announce (queue: Queue, workerId: string): void {
  queue.announce({
    ...{ v: messageVersion, workerId, version: release, slots: 1, freeAny: 1, freeSmall: 0, quick: 0, shardSlots: 1 },
    ...{ capabilities: [], running: [], draining: false }
  })
}

const ends: Array<Promise<void>> = []
for (let number = 0; number < Number(workers); number++) {
  const queue = connectQueue({ url, token, name: 'fleet', log })
  await queue.ready(30_000)
  const workerId = ulid()
  announce(queue, workerId)
  setInterval(() => announce(queue, workerId), heartbeatMs)
  ends.push(work(queue))
}
process.stdout.write('ready\n')
process.stdin.on('end', () => over.abort()).resume()
await Promise.all(ends)
process.exit(0)
