import t from 'tap'
import { presign, signingKey } from '../../../src/platform/store/sigv4.ts'

/** The example credentials of the AWS documentation. */
const example = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1'
}
const nowMs = Date.parse('2013-05-24T00:00:00Z')

t.test("the documentation's examples come out", async (t) => {
  // Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)", its example
  // of a GET.
  t.equal(
    presign({
      ...example,
      method: 'GET',
      url: 'https://examplebucket.s3.amazonaws.com/test.txt',
      expiresInSeconds: 86400,
      nowMs
    }),
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
  )
  // AWS General Reference, "Examples of how to derive a signing key for Signature Version 4".
  t.equal(signingKey('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', '20120215', 'us-east-1', 'iam').toString('hex'),
    'f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d')
})

t.test('headers are signed by their lower-case names in order, and values without surplus spaces', async (t) => {
  const options = {
    ...example,
    method: 'PUT' as const,
    url: 'https://s3.example:9000/bucket/a%20b/c',
    expiresInSeconds: 60,
    nowMs
  }
  const address = new URL(
    presign({ ...options, headers: { 'x-amz-meta-object-id': 'o', 'If-None-Match': '*', 'Content-Type': 'text/csv' } })
  )
  t.equal(address.searchParams.get('X-Amz-SignedHeaders'), 'content-type;host;if-none-match;x-amz-meta-object-id')
  t.equal(address.host, 's3.example:9000')
  t.equal(address.pathname, '/bucket/a%20b/c')
  t.equal(presign({ ...options, headers: { 'Content-Type': ' text/csv;  a=b ' } }),
    presign({ ...options, headers: { 'content-type': 'text/csv; a=b' } }))
})

t.test('everything that is signed changes the signature', async (t) => {
  const options = {
    ...example,
    method: 'GET' as const,
    url: 'https://s3.example/bucket/key',
    expiresInSeconds: 60,
    nowMs,
    query: { a: '1' },
    headers: { 'content-type': 'text/csv' }
  }
  const variants = [
    {},
    { method: 'PUT' as const },
    { url: 'https://s3.example/bucket/other' },
    { url: 'https://s4.example/bucket/key' },
    { expiresInSeconds: 61 },
    { nowMs: nowMs + 1000 },
    { query: { a: '2' } },
    { query: { b: '1' } },
    { headers: { 'content-type': 'text/html' } },
    { headers: {} },
    { region: 'eu-west-1' },
    { accessKeyId: 'other' },
    { secretAccessKey: 'other' }
  ]
  const signatures = variants.map((change) =>
    new URL(presign({ ...options, ...change })).searchParams.get('X-Amz-Signature')
  )
  t.equal(new Set(signatures).size, variants.length)
  t.notMatch(presign(options), example.secretAccessKey)
})

t.test('query parameters are in the order of their encoded names, and encoded as RFC 3986 says', async (t) => {
  const address = presign({
    ...example,
    method: 'GET',
    url: "https://s3.example/bucket/(a)*!'~",
    expiresInSeconds: 60,
    nowMs,
    query: { 'response-content-type': 'a b/c+d', b: '~(x)' }
  })
  t.match(address, 'https://s3.example/bucket/%28a%29%2A%21%27~?X-Amz-Algorithm=')
  t.match(address, /X-Amz-SignedHeaders=host&b=~%28x%29&response-content-type=a%20b%2Fc%2Bd&X-Amz-Signature=/)
})
