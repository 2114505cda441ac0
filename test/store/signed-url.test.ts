import t from 'tap'
import { randomBytes } from 'node:crypto'
import { inputKey, jobPrefix, outputKey, resultKey, runOfKey, runPrefix, runsIn } from '../../src/store/keys.ts'
import { openStore } from '../../src/store/open-store.ts'
import { signedGetUrl, verifySignedGet } from '../../src/store/signed-url.ts'

const secret = randomBytes(32)
const nowMs = 1_790_000_000_500
const options = { expiresInSeconds: 300, filename: 'Prognose "ä" & b=c.csv', contentType: 'text/csv; charset=utf-8', baseUrl: 'https://forecasts.example/base' }
const key = 'acme/01J/run 1/é%2F&?.csv'

function parts (address: string): { path: string, query: Record<string, string> } {
  const { pathname, searchParams } = new URL(address)
  return { path: pathname.slice('/base/objects/'.length), query: Object.fromEntries(searchParams) }
}

t.test('a signed address grants what was signed until it expires', async (t) => {
  const address = signedGetUrl(secret, key, options, nowMs)
  t.ok(address.startsWith('https://forecasts.example/base/objects/acme/01J/'))
  const { path, query } = parts(address)
  const claims = { key, filename: options.filename, contentType: options.contentType, expires: 1_790_000_300 }
  t.same(verifySignedGet(secret, path, query, nowMs), { ok: true, claims })
  t.same(verifySignedGet(secret, path, query, 1_790_000_299_999), { ok: true, claims })
  t.same(verifySignedGet(secret, path, query, 1_790_000_300_000), { ok: false, reason: 'expired' })
})

t.test('nothing of a signed address can be changed', async (t) => {
  const { path, query } = parts(signedGetUrl(secret, key, options, nowMs))
  const changed: Array<[string, Record<string, unknown>]> = [
    ['acme/01J/other', query], [path.replace('acme', 'umbrella'), query], [path, { ...query, expires: '1790000301' }], [path, { ...query, filename: 'x.html' }],
    [path, { ...query, type: 'text/html' }], [path, { ...query, signature: randomBytes(32).toString('base64url') }], [path, { ...query, signature: '' }],
    [path, { ...query, signature: query['signature']?.slice(0, -2) }], [path, { ...query, filename: `${query['filename']}","x` }]
  ]
  for (const [path, query] of changed) t.same(verifySignedGet(secret, path, query, nowMs), { ok: false, reason: 'wrong_signature' })
  t.same(verifySignedGet(randomBytes(32), path, query, nowMs), { ok: false, reason: 'wrong_signature' }, 'another secret')
  const malformed: Array<[string, Record<string, unknown>]> = [
    [path, {}], [path, { ...query, expires: '1e9' }], [path, { ...query, expires: '-1' }], [path, { ...query, signature: ['a', 'b'] }], [path, { ...query, filename: undefined }],
    ['%', query], ['acme/../x', query], ['acme/%2e%2e/x', query], ['', query], ['.tmp/x', query]
  ]
  for (const [path, query] of malformed) t.same(verifySignedGet(secret, path, query, nowMs), { ok: false, reason: 'malformed' }, path)
})

t.test('a store signs with its secret, and only with one', async (t) => {
  const root = t.testdir()
  const store = await openStore({ driver: 'local', root, signingSecret: secret })
  const { path, query } = parts(store.signGet(key, options))
  t.equal(verifySignedGet(secret, path, query, Date.now()).ok, true)
  t.throws(() => store.signGet('../x', options), { code: 'invalid_key' })
  const worker = await openStore({ driver: 'local', root })
  t.throws(() => worker.signGet(key, options), TypeError)
})

t.test('keys of a job say whose they are, and runs are found in a listing', async (t) => {
  const [first, second] = ['01JCZXW8000000000000000000', '01JCZXW9000000000000000000']
  const prefix = jobPrefix('acme', 'job_1')
  t.equal(inputKey('acme', 'job_1'), 'acme/job_1/input')
  t.equal(runPrefix(prefix, first), `acme/job_1/${first}/`)
  t.equal(outputKey(prefix, first, 'forecast.csv'), `acme/job_1/${first}/forecast.csv`)
  t.equal(resultKey(prefix, first), `acme/job_1/${first}/result.cbor`)
  t.equal(runOfKey(prefix, resultKey(prefix, first)), first)
  for (const other of ['acme/job_1/input', `acme/job_2/${first}/result.cbor`, `acme/job_1/${first}`, 'acme/job_1/notarun/result.cbor']) t.equal(runOfKey(prefix, other), undefined, other)
  async function * listing () {
    for (const key of [resultKey(prefix, second), outputKey(prefix, first, 'a'), outputKey(prefix, first, 'b'), inputKey('acme', 'job_1')]) yield { key }
  }
  t.same(await runsIn(prefix, listing()), [first, second])
})
