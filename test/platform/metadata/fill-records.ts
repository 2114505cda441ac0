import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { jobLike, type JobLike } from './job-like.ts'

// Commits records until the disk is full, checks that the refused ones are not there, and commits again when there is
// space.
const path = process.argv[2] ?? ''
const store = await openMetadata({ path: join(path, 'metadata'), tables: ['jobs'] })
const jobs = store.table<JobLike>('jobs')
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const write = (number: number) => store.transact((tx) => tx.put(jobs, [number], jobLike(String(number), 0, 10_000)))

// A write behind a file size limit ends the process, unless this signal is handled: then it fails with EFBIG.
process.on('SIGXFSZ', () => undefined)
process.stdout.write('ready\n')
await commands.next()
const acknowledged = new Set<number>()
const refused = new Set<number>()
for (let next = 0; refused.size === 0; next += 4) {
  if (next > 10_000) throw new Error('the disk does not fill')
  const group = [next, next + 1, next + 2, next + 3]
  const results = await Promise.allSettled(group.map(write))
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') acknowledged.add(next + index)
    else {
      refused.add(next + index)
      process.stdout.write(`refused: ${(result.reason as { code?: string }).code}\n`)
    }
  }
}
const check = (): void => {
  for (const number of acknowledged) {
    if (jobs.get([number])?.value.id !== String(number)) throw new Error(`record ${number} is lost`)
  }
  for (const number of refused) if (jobs.get([number])) throw new Error(`record ${number} was refused and is there`)
}
check()
// A refused transaction must not stand in the way of the next one.
const [again] = await Promise.allSettled([write(-1)])
if (again?.status === 'fulfilled') acknowledged.add(-1)
check()
process.stdout.write('full\n')
await commands.next()
for (const number of [...refused, 20_000]) {
  refused.delete(number)
  await write(number)
  acknowledged.add(number)
}
check()
await store.close()
const reopened = await openMetadata({ path: join(path, 'metadata'), tables: ['jobs'] })
if (reopened.table('jobs').count() !== acknowledged.size) throw new Error('the reopened folder has other records')
await reopened.close()
process.stdout.write('recovered\n')
process.stdin.destroy()
