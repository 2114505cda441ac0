import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { loadConfig } from '../../../src/platform/config.ts'
import { AnswerCache } from '../../../src/sources/covariates/http/answer-cache.ts'
import { answerRelayed } from '../../../src/sources/covariates/http/answer-relayed.ts'
import { jsonReader } from '../../../src/sources/covariates/http/read-json.ts'
import { RelayedSource } from '../../../src/sources/covariates/http/relayed-source.ts'
import type { Question } from '../../../src/sources/covariates/http/source.ts'
import { ProviderError } from '../../../src/sources/covariates/provider-error.ts'
import { ProviderNetwork, withoutSecrets } from '../../../src/sources/covariates/provider-network.ts'
import { readProvidersFile } from '../../../src/sources/covariates/providers-file.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'

const read = jsonReader(Type.Object({ value: Type.Number() }))
const { signal } = new AbortController()
const question = (change: Partial<Question<{ value: number }>> = {}): Question<{ value: number }> => ({
  path: '/data',
  parameters: {},
  accepts: ['application/json'],
  ttlMs: 60_000,
  read,
  signal,
  ...change
})

/** Two processes in one: who asks, a new one for each job, and who has the way out. */
async function setUp (t: Test, handler: Handler) {
  const folder = t.testdir({})
  const server = await openProviderServer(t, handler)
  const entries = readProvidersFile('F', 'p.json',
    JSON.stringify({ providers: [{ id: 'fred', type: 'fred', base_url: server.url, api_key: 'canary-secret' }] }))
  const network = new ProviderNetwork({ entries, config: loadConfig({}) })
  let asked = 0
  const job = (baseUrl = server.url) =>
    new RelayedSource({
      id: 'fred',
      baseUrl,
      cache: new AnswerCache(1_000),
      relay: async (one) => {
        const path = join(folder, `answer-${++asked}`)
        return await answerRelayed(network, one, { path, tenant: 'acme', signal })
      }
    })
  return { folder, server, entries, job }
}

t.test('who asks has no key, and reads what the other one leaves', async (t) => {
  const { folder, server, entries, job } = await setUp(t,
    (response) => sendJson(response, { value: server.asked.length }))
  t.notMatch(JSON.stringify(entries.map(withoutSecrets)), /canary/)
  const first = job()
  t.equal((await first.get(question())).value.value, 1)
  t.equal((await first.get(question())).value.value, 1, 'read once')
  t.equal((await job().get(question())).value.value, 1, 'asked once')
  t.strictSame(server.asked.map(({ query }) => query['api_key']), ['canary-secret'])
  t.strictSame(await readdir(folder), [], 'what was read is removed')
})

t.test('an answer that could not be read is not kept from the next job', async (t) => {
  const { server, job } = await setUp(t,
    (response) => sendJson(response, server.asked.length === 1 ? { value: 'none' } : { value: 2 }))
  await t.rejects(job().get(question()), { name: 'ProviderError', code: 'INVALID_ANSWER' } as never)
  t.equal(server.asked.length, 1)
  t.equal((await job().get(question())).value.value, 2)
  t.equal(server.asked.length, 2)
})

t.test('a refusal means what the provider says', async (t) => {
  const { job } = await setUp(t, (response) => sendJson(response, { reason: 'no such series' }, 400))
  await t.rejects(job().get(question()), { code: 'REQUEST_REFUSED', message: /status 400/ } as never)
  const refusal = (status: number, body: Buffer) =>
    new ProviderError('fred', 'NOT_FOUND', { detail: `${status} ${body.length}` })
  await t.rejects(job().get(question({ refusal })), { code: 'NOT_FOUND', message: /400 27\./ } as never)
})

t.test('no other host can be asked', async (t) => {
  const { server, job } = await setUp(t, (response) => sendJson(response, { value: 1 }))
  for (const path of ['@127.0.0.1:1/', '.example.org/', '']) {
    await t.rejects(job().get(question({ path })), { message: /that the operator does not have/ }, path)
  }
  await t.rejects(job('http://127.0.0.1:1').get(question()), { message: /that the operator does not have/ })
  t.equal(server.asked.length, 0)
})
