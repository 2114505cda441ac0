import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer as bufferOf, text as textOf } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sentPieces } from '../../src/api/sent-pieces.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, suggestionOf, type Answer } from '../support/expect-error.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* Files that one tenant fetches side by side, on the one thread that sends those of everybody. */

const MiB = 2 ** 20
/** More than the buffers of two sockets take: who does not read holds its download. */
const table = 'item_id,timestamp,target\n' + '-a,2024-01-01,-1\n'.repeat(2_000_000)

interface Fetched {
  outgoing: ClientRequest
  answer: IncomingMessage
}

/** A tenant with a completed job, over HTTP. */
class Downloader {
  readonly #stage: ApiStage
  readonly caller: StorageCaller
  readonly jobId: string

  constructor (stage: ApiStage, caller: StorageCaller, jobId: string) {
    this.#stage = stage
    this.caller = caller
    this.jobId = jobId
  }

  static async of (stage: ApiStage, tenant: string): Promise<Downloader> {
    const caller = new StorageCaller(stage,
      (await stage.keys.create({ tenant, scopes: ['forecast', 'jobs:read', 'jobs:delete', 'storage'] })).key)
    const id = await caller.store('item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n')
    const { job_id: jobId } = await caller.json<{ job_id: string }>('POST', '/forecast/storage-object', {
      object_id: id
    })
    await stage.finishNext({ 'forecast.csv': table, 'forecast.parquet': 'PAR1', 'report.html': '<p>' })
    await until('the job has ended',
      async () =>
        (await caller.json<{ status: string }>('GET', `/jobs/${jobId}`)).status === 'completed' ? true : undefined)
    return new Downloader(stage, caller, jobId)
  }

  /** Resolves with the headers; the file is read by whoever wants it. */
  async fetch (path = `/jobs/${this.jobId}/download?format=csv`, agent: Agent | false = false): Promise<Fetched> {
    const { port } = this.#stage.app.server.address() as AddressInfo
    const outgoing = request({ port, path, agent, headers: { authorization: `Bearer ${this.caller.key}` } })
    const answered = once(outgoing, 'response')
    outgoing.end()
    const [answer] = await answered as [IncomingMessage]
    // Who cuts it off wants no error.
    outgoing.on('error', () => undefined)
    answer.on('error', () => undefined)
    return { outgoing, answer }
  }

  async whole (path?: string, agent?: Agent): Promise<Answer> {
    const { answer } = await this.fetch(path, agent)
    const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
    return { status: answer.statusCode ?? 0, headers, text: await textOf(answer) }
  }
}

async function opened (t: Test, settings: Record<string, string> = {}): Promise<{ stage: ApiStage, acme: Downloader }> {
  const stage = await openApi(t, { TABCAST_DOWNLOADS_PER_TENANT: '2', ...settings })
  await stage.app.listen({ port: 0, host: '127.0.0.1' })
  return { stage, acme: await Downloader.of(stage, 'acme') }
}

t.test('downloads of one tenant beyond its places wait and are refused, and those of others are sent', async (t) => {
  const { stage, acme } = await opened(t)
  const other = await Downloader.of(stage, 'other')
  const signed =
    (await acme.caller.ask('GET', `/jobs/${acme.jobId}/download?format=presign`)).headers.get('location') ?? ''
  const { pathname, search } = new URL(signed)
  const held = [await acme.fetch(), await acme.fetch(`/jobs/${acme.jobId}/download?format=zip`)]
  t.same(held.map(({ answer }) => answer.statusCode), [200, 200])

  const waiting = [acme.whole(), acme.whole(pathname + search), acme.whole()]
  const refused = await Promise.race(waiting)
  const envelope = await expectError(t, refused, 429, 'rate_limited')
  t.match(envelope.detail, { reason: 'downloads', detail: /2 downloads of this tenant/ })
  t.match(suggestionOf(envelope), /Wait until a download has ended/)
  t.match(await acme.caller.json('GET', '/limits'), { downloads_per_tenant: 2 })
  t.ok((await other.whole()).text === table, 'a neighbour has its file')
  t.equal((await acme.caller.ask('HEAD', `/jobs/${acme.jobId}/download?format=csv`)).status, 200, 'no file is sent')
  for (const answer of await Promise.all(waiting)) {
    await expectError(t, answer, 429, 'rate_limited')
    t.equal(answer.headers.get('content-disposition'), null)
    t.equal(answer.headers.get('accept-ranges'), null)
  }
  for (const { outgoing } of held) outgoing.destroy()
  t.ok((await acme.whole()).text === table, 'the places are free')
})

t.test('a download gives its place back when it has ended, was cut off, or failed', async (t) => {
  const { acme, stage } = await opened(t, { TABCAST_DOWNLOADS_PER_TENANT: '1' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let round = 0; round < 3; round++) {
    t.equal((await acme.whole(`/jobs/${acme.jobId}/artifacts/report.html`, agent)).text, '<p>', 'on one connection')
  }
  for (const query of ['format=csv', 'format=zip', 'format=csv&csv_safe=true']) {
    const path = `/jobs/${acme.jobId}/download?${query}`
    const held = await acme.fetch(path)
    // One waits for it, and has it when it is cut off.
    const next = acme.fetch(path)
    held.outgoing.destroy()
    const { answer, outgoing } = await next
    t.equal(answer.statusCode, 200, query)
    outgoing.destroy()
  }
  await expectError(t, await acme.caller.ask('GET', `/jobs/${acme.jobId}/artifacts/metrics.json`), 400,
    'validation_error')

  const second = await Downloader.of(stage, 'acme')
  await until('the place is free',
    async () => (await second.caller.ask('GET', `/jobs/${second.jobId}/artifacts/report.html`)).status === 200)
  const cut = await acme.fetch()
  t.equal((await acme.caller.ask('DELETE', `/jobs/${acme.jobId}`)).status, 204)
  await t.rejects(textOf(cut.answer), 'its job was deleted')
  t.ok((await second.whole()).text === table, 'the place is free')
})

t.test('the bytes of files are paid, and a file goes on when its tenant has paid for what came before', async (t) => {
  const { acme, stage } = await opened(t, { TABCAST_API_CPU_MS_PER_MINUTE: '2000' })
  const seconds = async (): Promise<number> =>
    Number(/tabcast_sync_cpu_seconds_total\{work="api"\} (\S+)/.exec(await stage.metrics.text())?.[1])
  const paid = async (query: string): Promise<{ ms: number, text: string }> => {
    const before = await seconds()
    const { status, text } = await acme.whole(`/jobs/${acme.jobId}/download?${query}`)
    t.equal(status, 200, status === 200 ? '' : text)
    return { ms: (await seconds() - before) * 1000, text }
  }
  const size = table.length / MiB
  const file = await paid('format=csv')
  t.ok(file.text === table)
  t.ok(file.ms >= 0.5 * size && file.ms < size, `${file.ms} ms`)
  const zip = await paid('format=zip')
  t.ok(zip.ms >= 3 * size && zip.ms < 4 * size, `${zip.ms} ms`)
  t.ok(zip.text.length >= table.length)
  // Above what it has saved up: it waits some seconds for its share, and is whole.
  const { answer } = await acme.fetch(`/jobs/${acme.jobId}/download?format=csv&csv_safe=true`)
  t.equal(answer.statusCode, 200)
  const reading = textOf(answer)
  await until('the time is used up', async () => (await acme.caller.ask('GET', '/jobs')).status === 429)
  const envelope = await expectError(t, await acme.whole(), 429, 'rate_limited')
  t.match(envelope.detail, { reason: 'cpu_time' })
  t.equal((await acme.caller.ask('GET', `/jobs/${acme.jobId}`)).status, 200)
  const other = await Downloader.of(stage, 'other')
  t.ok((await other.whole()).text === table, 'a neighbour has its file meanwhile')
  t.ok(await reading === table.replaceAll('\n-a', "\n'-a"), 'the file is whole')
})

t.test('a file goes on, piece by piece, when its tenant never gets out of debt', async (t) => {
  const bytes = Buffer.from(table.slice(0, 2 * MiB))
  let paidMs = 0
  const sent = sentPieces(Readable.from([bytes.subarray(0, MiB), bytes.subarray(MiB)]), {
    sending: 'zip',
    inTurn: (work) => work(),
    pay: (ms) => {
      paidMs += ms
    },
    debtMs: () => 3_600_000,
    waitMs: 20
  })
  t.ok(bytes.equals(await bufferOf(sent)))
  t.equal(paidMs, 6, 'and is paid all the same')
})
