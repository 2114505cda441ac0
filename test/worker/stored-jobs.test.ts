import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ulid } from 'ulid'
import type { JobMessage } from '../../src/platform/queue/job-messages.ts'
import { customers, customersCsv } from '../support/customers.ts'
import { setup } from '../support/worker.ts'

/*
 * Jobs that an earlier release accepted, and this one computes: they wait in the record while the service is upgraded.
 * The fixture has them as that release wrote them, with every block that is stored. Nobody regenerates it.
 */
interface StoredJob {
  of: string
  table: keyof typeof tables
  message: Pick<JobMessage, 'v' | 'jobType' | 'spec' | 'limits' | 'budgetMs'>
}

const jobs = JSON.parse(
  readFileSync(join('test', 'fixtures', 'stored-jobs-0.1.0.json'), 'utf8')
) as readonly StoredJob[]

/** Ten weeks of four shops, one without its third day. */
function sales (): string {
  const lines = ['item_id,region,shop,timestamp,target,price']
  for (const [number, id] of ['north/a', 'north/b', 'south/c', 'south/d'].entries()) {
    for (let day = 0; day < 73; day++) {
      if (number === 3 && day === 2) continue
      const stamp = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
      const value = day < 70 ? 10 * (number + 1) + day % 7 + (day * 7919 % 13) / 13 : ''
      lines.push(`${id},${id.replace('/', ',')},${stamp},${value},${1 + day % 5}`)
    }
  }
  return `${lines.join('\n')}\n`
}

const tables = { sales: sales(), customers: customersCsv(customers(120, 10)) }

await t.test('jobs that release 0.1.0 stored are computed', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  await bench.start()
  t.same(jobs.map(({ message }) => message.jobType), ['forecast', 'forecast', 'fine_tune', 'classification'])
  for (const { of, table, message } of jobs) {
    const jobId = `job_${ulid()}`
    await bench.submit(tables[table], { jobId, ...message }, 'large')
    const { code, error } = await bench.event(jobId)
    t.same({ code, error }, { code: null, error: null }, of)
  }
})
