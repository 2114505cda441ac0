import { once } from 'node:events'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { jobLike, type JobLike } from './job-like.ts'

// Commits transactions from 8 writers until it is killed; each writes one record and its outbox entry, and raises the
// writer's counter. Prints `<writer> <number>` when a transaction is acknowledged.
const store = await openMetadata({ path: process.argv[2] ?? '', tables: ['jobs', 'outbox', 'counters'], check: false })
const jobs = store.table<JobLike>('jobs')
const outbox = store.table<number>('outbox')
const counters = store.table<number>('counters')

await Promise.all(Array.from({ length: 8 }, async (_, writer) => {
  for (;;) {
    const number = await store.transact((tx) => {
      const next = (tx.get(counters, [writer])?.value ?? 0) + 1
      tx.put(counters, [writer], next)
      tx.createIfAbsent(jobs, [writer, next], jobLike(`${writer}-${next}`, next, next % 5000))
      tx.createIfAbsent(outbox, [writer, next], next)
      return next
    })
    if (!process.stdout.write(`${writer} ${number}\n`)) await once(process.stdout, 'drain')
  }
}))
