import t from 'tap'
import { Client, panelCsv, startService } from '../support/service.ts'

/* A whole service in which a run that was taken for small may take a tenth of a second. */

const service = await startService({ TABCAST_SLOTS: '2', TABCAST_SMALL_JOB_MS: '100' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

t.test('a job that takes longer than small ones may runs again, and gives the same forecast', async (t) => {
  const data = panelCsv(20, 600)
  const options = { presets: 'balanced', prediction_length: '3' }
  const { job_id: jobId } = await client.submitted(data, options)
  t.match(await client.ended(jobId), { status: 'completed', error: null, attempt: 2 })
  // All analyses but one are large from the start.
  const { job_id: other } = await client.submitted(data, { ...options, explainability: '{"enabled": true}' })
  t.match(await client.ended(other), { status: 'completed', error: null, attempt: 1 })
  t.equal(await client.table(jobId), await client.table(other))
})
