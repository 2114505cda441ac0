import t from 'tap'
import { runKeys } from '../support/command.ts'
import { customers, customersCsv } from '../support/customers.ts'
import { generateTable } from '../support/generate-table.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Visitors and a tenant at a whole service whose worker has one slot for large jobs. */

const service = await startService({
  TABCAST_SLOTS: '2',
  TABCAST_DRAIN_MS: '100',
  TABCAST_SANDBOX_ENABLED: 'true',
  TABCAST_SANDBOX_CAPTCHA: 'none'
})
t.teardown(service.cleanup)
const visitor = new Client(service.baseUrl, (await runKeys(service, 'create', '--scopes', 'sandbox')).last)
const tenant = new Client(service.baseUrl, await service.createKey('acme'))

type Fields = Record<string, string>

async function classify (client: Client, path: string, table: string, fields: Fields): Promise<string> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([table]), 'data.csv')
  const answer = await client.request('POST', path, { body: form })
  const job = await answer.json() as Job
  if (answer.status !== 202) throw new Error(JSON.stringify(job))
  return job.job_id
}

t.test("a tenant's table does not wait for the end of a visitor's that takes long", async (t) => {
  const long = [...generateTable({ rows: 8_000, columns: 12, classes: 50 })].join('')
  const visitors = await classify(visitor, '/sandbox/classify', long, {
    email: 'ana@siemens.com',
    label_column: 'label'
  })
  await until("the visitor's table to be learned from", async () => {
    const { progress } = await visitor.job(visitors) as Job & { progress: { stage: string } | null }
    return progress !== null && !['queue', 'running'].includes(progress.stage)
  })
  const tenants = await classify(tenant, '/v2/classify', customersCsv(customers(200)), { label_column: 'churned' })
  t.equal((await tenant.ended(tenants)).status, 'completed')
  t.match(await visitor.job(visitors), { status: 'running', error: null })
  t.match(await until("the visitor's second run", async () => {
    const job = await visitor.job(visitors)
    return job['attempt'] === 2 ? job : undefined
  }), { status: 'running' })
})
