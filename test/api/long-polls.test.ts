import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openApi } from '../support/api.ts'
import { expectError } from '../support/expect-error.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import { requestHead } from '../support/raw-http.ts'
import { Client, startService } from '../support/service.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/** A neighbour that reads every 20 ms until it is stopped; gives its times in order, milliseconds. */
function readAlong (client: Client): { stop: () => Promise<number[]> } {
  const over = new AbortController()
  const reading = (async () => {
    const times: number[] = []
    while (!over.signal.aborted) {
      const startMs = performance.now()
      await client.page('limit=1')
      times.push(performance.now() - startMs)
      await sleep(20)
    }
    return times.sort((one, other) => one - other)
  })()
  return {
    stop: async () => {
      over.abort()
      return await reading
    }
  }
}

/** Polls over connections of their own; gives how many were answered with each status so far. */
async function openPolls (t: Test, baseUrl: string, key: string, path: string,
  count: number): Promise<Map<number, number>> {
  const { hostname, port } = new URL(baseUrl)
  const head = requestHead('GET', path, { authorization: `Bearer ${key}` })
  const statuses = new Map<number, number>()
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let opened = 0; opened < count; opened += 200) {
    await Promise.all(Array.from({ length: 200 }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect')
      socket.once('data', (bytes: Buffer) => {
        const status = Number(bytes.toString('latin1', 9, 12))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      socket.write(head)
    }))
  }
  return statuses
}

t.test('thousands wait for one job: news of it and its end hold up nobody', async (t) => {
  const polls = 5000
  const service = await startService({
    ...oneSlot,
    TABCAST_LONG_POLLS_PER_TENANT: String(polls),
    TABCAST_MAX_CONNECTIONS: '8000'
  })
  t.teardown(() => service.cleanup())
  const acme = new Client(service.baseUrl, await service.createKey('acme'))
  const job = await holdSlot(t, acme)
  const statuses = await openPolls(t, service.baseUrl, acme.key, `/jobs/${job.job_id}?wait=30`, polls)
  const neighbour = readAlong(new Client(service.baseUrl, await service.createKey('beta')))
  // Its run tells four times a second how far it is.
  await sleep(3000)
  t.strictSame([...statuses], [], 'all wait')
  t.equal((await acme.request('DELETE', `/jobs/${job.job_id}`)).status, 204)
  await until('all are answered', () => statuses.get(404) === polls)
  const times = await neighbour.stop()
  t.comment(
    `a neighbour's ${times.length} reads meanwhile: p50 ${times[times.length >> 1]?.toFixed(1)} ms, slowest ${
      times.at(-1)?.toFixed(1)
    } ms`
  )
  // The log that is read at the clean-up tells of every pause of more than 200 ms.
})

t.test('beyond the bound of a tenant a poll is refused, and there is room again when others are over', async (t) => {
  const stage = await openApi(t, { TABCAST_LONG_POLLS_PER_TENANT: '3' })
  const acme = new StorageCaller(stage)
  const beta = await StorageCaller.of(stage, 'beta')
  const [job, foreign] = await Promise.all([acme, beta].map(async (caller) => {
    const object = await caller.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
    return `/jobs/${
      (await caller.json<{ job_id: string }>('POST', '/forecast/storage-object', { object_id: object })).job_id
    }`
  })) as [string, string]
  const waiting = [1, 2, 3].map(() => acme.ask('GET', `${job}?wait=3`))
  await sleep(200)
  const refused = await acme.ask('GET', `${job}?wait=3`)
  t.match((await expectError(t, refused, 429, 'rate_limited')).detail, {
    reason: 'long_polls',
    suggestion: /GET \/jobs/
  })
  t.equal(refused.headers.get('retry-after'), '2')
  t.equal((await acme.ask('GET', job)).status, 200, 'without waiting it is read')
  t.equal((await beta.ask('GET', `${foreign}?wait=1`)).status, 200, 'another tenant has its own')
  t.strictSame((await Promise.all(waiting)).map(({ status }) => status), [200, 200, 200])
  t.equal((await acme.ask('GET', `${job}?wait=1`)).status, 200)

  const left = [1, 2, 3].map(() => acme.ask('GET', `${job}?wait=30`))
  await sleep(200)
  t.equal((await acme.ask('DELETE', job)).status, 204)
  for (const answer of await Promise.all(left)) await expectError(t, answer, 404, 'job_not_found')
})
