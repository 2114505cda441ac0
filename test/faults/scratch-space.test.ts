import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { connectedJobs } from '../support/connected-jobs.ts'
import { startHostileStore } from '../support/hostile-store.ts'
import { signal } from '../support/processes.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Sources of customers' stores that would fill the disk of the service. */

const settings = {
  TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
  TABCAST_SLOTS: '2',
  TABCAST_SLOT_THREADS: '1',
  TABCAST_WORKERS: '1',
  TABCAST_DATA_DIR_MIN_FREE_BYTES: '0',
  TABCAST_DATA_DIR_MAX_BYTES: '200000000'
}

const listOf = (bytes: number, parts = 1): string => {
  const entries = Array.from({ length: parts },
    (_, part) =>
      `<Contents><Key>d/${part}.csv</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>"e"</ETag><Size>${bytes}</Size></Contents>`)
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListBucketResult>`
}

const isRead = (request: string): boolean => !request.includes('list-type')

async function runFolders ({ folder }: { folder: string }): Promise<string[]> {
  const scratch = join(folder, 'data', 'scratch')
  const found = await Promise.all(
    (await readdir(scratch)).map(async (worker) => await readdir(join(scratch, worker)).catch(() => []))
  )
  return found.flat()
}

t.test('a source of more than its tenant may ever have is refused before a byte is read', async (t) => {
  const store = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) return response.end(listOf(3_000_000_000, 4))
    response.writeHead(200, { etag: '"e"', 'content-length': '3000000000' }).write('item_id,timestamp,target\n')
  })
  const service = await startService(settings)
  t.teardown(service.cleanup)
  const evil = new Client(service.baseUrl, await service.createKey('evil'))
  const start = await connectedJobs(evil, store, 'd/')
  const jobs = [await start(), await start(), await start(), await start()]
  for (const { job_id: id } of jobs) {
    const job = await evil.ended(id)
    t.match(job, { status: 'failed', error_code: 'connector_error' })
    t.match(JSON.stringify(job), /DATASET_TOO_LARGE/)
  }
  t.strictSame(store.requests.filter(isRead), [])
  const good = new Client(service.baseUrl, await service.createKey('good'))
  const { job_id: id } = await good.submitted(panelCsv(2, 40), { prediction_length: '3', presets: 'fast' })
  t.match(await good.ended(id), { status: 'completed' })
  await until('nothing is left', async () => (await runFolders(service)).length === 0)
})

for (const where of ['beside the others', 'in a worker of its own'] as const) {
  t.test(`a source waits while one of its tenant that is read ${where} has the room, and other tenants are served`, async (t) => {
    const data = Buffer.from(panelCsv(2, 40))
    const bytes = 30_000_000
    let isReleased = false
    const store = await startHostileStore(t, ({ url }, response) => {
      if (url?.includes('list-type')) return response.end(listOf(isReleased ? data.length : bytes))
      if (isReleased) return response.writeHead(200, { etag: '"e"', 'content-length': String(data.length) }).end(data)
      response.writeHead(200, { etag: '"e"', 'content-length': String(bytes) }).write('item_id,timestamp,target\n')
      const timer = setInterval(() => response.write('s1,2020-01-01,1\n'.repeat(2_000)), 500)
      response.on('close', () => clearInterval(timer))
    })
    const service = await startService({ ...settings, TABCAST_LEASE_MS: '2000', TABCAST_RECONCILE_MS: '300' })
    t.teardown(service.cleanup)
    const reads = (): number => store.requests.filter(isRead).length
    const evil = new Client(service.baseUrl, await service.createKey('evil'))
    const start = await connectedJobs(evil, store, 'd/')
    const first = await start()
    const losses = where === 'in a worker of its own' ? 2 : 0
    for (let lost = 0; lost < losses; lost++) {
      await until(`read ${lost}`, () => reads() === lost + 1, 60_000)
      for (const pid of service.pids('worker')) signal(pid, 'SIGKILL')
    }
    await until('the first is read', () => reads() === losses + 1, 60_000)
    t.equal(service.log().includes('job runs in a worker of its own'), losses > 0)
    const second = await start()
    await until('the second has no room', () => service.log().includes('NoSourceSpace'), 60_000)
    const good = new Client(service.baseUrl, await service.createKey('good'))
    const { job_id: id } = await good.submitted(panelCsv(2, 40), { prediction_length: '3', presets: 'fast' })
    t.match(await good.ended(id), { status: 'completed' })
    t.equal(reads(), losses + 1, 'nothing of the second was read')
    isReleased = true
    t.equal((await evil.request('DELETE', `/jobs/${first.job_id}`)).status, 204)
    t.match(await evil.ended(second.job_id), { status: 'completed' }, 'it has the room that the first gave back')
    await until('nothing is left', async () => (await runFolders(service)).length === 0)
  })
}

t.test('what a broken read has left is gone before the next attempt', async (t) => {
  const bytes = 30_000_000
  let reads = 0
  const store = await startHostileStore(t, ({ url }, response) => {
    if (url?.includes('list-type')) return response.end(listOf(bytes))
    reads++
    response.writeHead(200, { etag: '"e"', 'content-length': String(bytes) })
    response.write(`item_id,timestamp,target\n${'s1,2020-01-01,1\n'.repeat(100_000)}`,
      () => setTimeout(() => response.destroy(), reads < 4 ? 100 : 600_000).unref())
  })
  const service = await startService(settings)
  t.teardown(service.cleanup)
  const evil = new Client(service.baseUrl, await service.createKey('evil'))
  await (await connectedJobs(evil, store, 'd/'))()
  await until('the fourth attempt', () => reads === 4, 60_000)
  const [run = ''] = await runFolders(service)
  const scratch = join(service.folder, 'data', 'scratch')
  const [worker = ''] = await readdir(scratch)
  t.equal((await readdir(join(scratch, worker, run, 'source'))).length, 1)
})
