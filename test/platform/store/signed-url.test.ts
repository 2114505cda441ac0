import t from 'tap'
import { randomBytes } from 'node:crypto'
import { inputKey, jobPrefix, outputKey, resultKey, runOfKey, runPrefix,
  runsIn } from '../../../src/platform/store/keys.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { signedGetUrl, signedPut, verifySignedGet, verifySignedPut } from '../../../src/platform/store/signed-url.ts'

const secret = randomBytes(32)
const nowMs = 1_790_000_000_500
const options = {
  expiresInSeconds: 300,
  filename: 'Prognose "ä" & b=c.csv',
  contentType: 'text/csv; charset=utf-8',
  baseUrl: 'https://forecasts.example/base'
}
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
    ['acme/01J/other', query],
    [path.replace('acme', 'umbrella'), query],
    [path, { ...query, expires: '1790000301' }],
    [path, { ...query, filename: 'x.html' }],
    [path, { ...query, type: 'text/html' }],
    [path, { ...query, signature: randomBytes(32).toString('base64url') }],
    [path, { ...query, signature: '' }],
    [path, { ...query, signature: query['signature']?.slice(0, -2) }],
    [path, { ...query, filename: `${query['filename']}","x` }]
  ]
  for (const [path, query] of changed) {
    t.same(verifySignedGet(secret, path, query, nowMs), { ok: false, reason: 'wrong_signature' })
  }
  // 43 characters of base64url hold 258 bits, the digest 256.
  const signature = query['signature'] ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const last of alphabet.replace(signature.slice(-1), '')) {
    t.same(verifySignedGet(secret, path, { ...query, signature: signature.slice(0, -1) + last }, nowMs), {
      ok: false,
      reason: 'wrong_signature'
    })
  }
  t.same(verifySignedGet(randomBytes(32), path, query, nowMs), { ok: false, reason: 'wrong_signature' },
    'another secret')
  const malformed: Array<[string, Record<string, unknown>]> = [
    [path, {}],
    [path, { ...query, expires: '1e9' }],
    [path, { ...query, expires: '-1' }],
    [path, { ...query, signature: ['a', 'b'] }],
    [path, { ...query, filename: undefined }],
    ['%', query],
    ['acme/../x', query],
    ['acme/%2e%2e/x', query],
    ['', query],
    ['.tmp/x', query]
  ]
  for (const [path, query] of malformed) {
    t.same(verifySignedGet(secret, path, query, nowMs), { ok: false, reason: 'malformed' }, path)
  }
})

t.test('a signed upload grants one key, type, size and id, and nothing else', async (t) => {
  const upload = {
    expiresInSeconds: 900,
    contentType: 'text/csv',
    bytes: 1234,
    objectId: 'obj_1',
    baseUrl: options.baseUrl
  }
  const { url, headers } = signedPut(secret, key, upload, nowMs)
  t.strictSame(headers, {
    'Content-Type': 'text/csv',
    'Content-Length': '1234',
    'If-None-Match': '*',
    'x-amz-meta-object-id': 'obj_1'
  })
  const { path, query } = parts(url)
  const claims = { key, contentType: 'text/csv', bytes: 1234, objectId: 'obj_1', expires: 1_790_000_900 }
  t.same(verifySignedPut(secret, path, query, nowMs), { ok: true, claims })
  t.same(verifySignedPut(secret, path, query, 1_790_000_900_000), { ok: false, reason: 'expired' })
  const { bytes: _, ...sizeless } = query
  for (const [path_, changed] of [
    [path.replace('acme', 'umbrella'), query],
    [path, { ...query, bytes: '1235' }],
    [path, sizeless],
    [path, { ...query, type: 'text/html' }],
    [path, { ...query, object: 'obj_2' }],
    [path, { ...query, expires: '1790000901' }]
  ] as Array<[string, Record<string, string>]>) {
    t.same(verifySignedPut(secret, path_, changed, nowMs), { ok: false, reason: 'wrong_signature' })
  }
  t.equal(verifySignedGet(secret, path, { ...query, filename: 'x' }, nowMs).ok, false,
    'an address for writing does not read')
  const read = parts(signedGetUrl(secret, key, options, nowMs))
  t.equal(verifySignedPut(secret, read.path, { ...read.query, object: 'obj_1' }, nowMs).ok, false,
    'nor the other way round')
  const anySize = signedPut(secret, key, { ...upload, bytes: null }, nowMs)
  t.notOk('Content-Length' in anySize.headers)
  t.match(verifySignedPut(secret, parts(anySize.url).path, parts(anySize.url).query, nowMs), {
    ok: true,
    claims: { bytes: null }
  })
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
  for (const other of ['acme/job_1/input', `acme/job_2/${first}/result.cbor`, `acme/job_1/${first}`,
    'acme/job_1/notarun/result.cbor']) t.equal(runOfKey(prefix, other), undefined, other)
  async function* listing () {
    for (const key of [resultKey(prefix, second), outputKey(prefix, first, 'a'), outputKey(prefix, first, 'b'),
      inputKey('acme', 'job_1')]) yield { key }
  }
  t.same(await runsIn(prefix, listing()), [first, second])
})
