import t from 'tap'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { seededRandom } from '../../support/random.ts'
import { startScript } from '../../support/script.ts'
import { until } from '../../support/until.ts'
import { jobLike, type JobLike } from './job-like.ts'

t.test('after SIGKILL every acknowledged record is there and every transaction is whole', async (t) => {
  const random = seededRandom(t)
  const path = join(t.testdir(), 'metadata')
  const acknowledged = new Map<number, number>()
  for (let round = 0; round < 10; round++) {
    const writer = startScript(t, new URL('write-records.ts', import.meta.url), [path])
    await until('the first acknowledged transaction', () => writer.lines.length > 0)
    await sleep(random() * 120)
    await writer.kill()
    for (const line of writer.lines.slice(0, -1)) {
      const [id = 0, number = 0] = line.split(' ').map(Number)
      acknowledged.set(id, Math.max(number, acknowledged.get(id) ?? 0))
    }
    const store = await openMetadata({ path, tables: ['jobs', 'outbox', 'counters'], check: round === 9 })
    const [jobs, outbox, counters] = [store.table<JobLike>('jobs'), store.table<number>('outbox'),
      store.table<number>('counters')]
    for (let id = 0; id < 8; id++) {
      const counter = counters.get([id])?.value ?? 0
      if (counter < (acknowledged.get(id) ?? 0)) {
        t.fail(`writer ${id}: transaction ${acknowledged.get(id)} was acknowledged, ${counter} is the last one there`)
      }
      if (jobs.count({ prefix: [id] }) !== counter || outbox.count({ prefix: [id] }) !== counter) {
        t.fail(`writer ${id}: half a transaction`)
      }
      for (const { key, value } of jobs.range({ prefix: [id] })) {
        const number = Number(key[1])
        if (!isDeepStrictEqual(value, jobLike(`${id}-${number}`, number, number % 5000))) {
          t.fail(`record ${JSON.stringify(key)} is another one`)
        }
      }
    }
    t.pass(`round ${round}: ${writer.lines.length} acknowledged transactions, all there and whole`)
    await store.close()
  }
})
