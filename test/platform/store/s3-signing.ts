import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { ObjectStore, SignedPutOptions } from '../../../src/platform/store/object-store.ts'
import { send, type Answer } from '../../support/send.ts'

const body = Buffer.from('a,b\n1,2\n')
const put: SignedPutOptions = {
  expiresInSeconds: 60,
  contentType: 'text/csv',
  bytes: body.length,
  objectId: 'obj_1',
  baseUrl: 'http://unused'
}
const get = {
  expiresInSeconds: 60,
  filename: 'Prognose "ä".csv',
  contentType: 'text/csv; charset=utf-8',
  baseUrl: 'http://unused'
}

/** Signed addresses of a bucket, used over HTTP as anybody would who was given one. */
export function signedAddressConformance (t: Test, name: string, setup: () => Promise<ObjectStore>): void {
  void t.test(`${name}: a signed address gives the object under the signed name and type until it expires`, async (t) => {
    const store = await setup()
    const key = "acme/j 1/é%2F&+='()!*~.csv"
    await store.putBytes(key, body)
    const answer = await send('GET', store.signGet(key, get))
    t.equal(answer.status, 200)
    t.equal(answer.body.toString(), body.toString())
    t.equal(answer.headers['content-disposition'],
      'attachment; filename="Prognose____.csv"; filename*=UTF-8\'\'Prognose%20%22%C3%A4%22.csv')
    t.equal(answer.headers['content-type'], get.contentType)
    t.equal((await send('GET', store.signGet(key, get), { range: 'bytes=0-2' })).body.toString(), 'a,b')
    const address = store.signGet(key, get)
    for (const changed of [
      address.replace('/acme/', '/umbrella/'),
      address.replace('text%2Fcsv', 'text%2Fhtml'),
      address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      address.replace(/X-Amz-Signature=./, (start) => start.endsWith('0') ? 'X-Amz-Signature=1' : 'X-Amz-Signature=0'),
      address.replace(/&X-Amz-Signature=.*/, '')
    ]) {
      t.ok(isRefusal(await send('GET', changed)), changed)
    }
    t.equal((await send('PUT', address, { 'content-length': '8' }, body)).status, 403,
      'an address for reading does not write')
    const short = store.signGet(key, { ...get, expiresInSeconds: 1 })
    await sleep(2_500)
    t.equal((await send('GET', short)).status, 403, 'expired')
  })

  void t.test(`${name}: a signed upload is taken once, with exactly the signed headers`, async (t) => {
    const store = await setup()
    const refusedOne = async (what: string, key: string, headers: Record<string, string>, bytes: Uint8Array = body,
      url = store.signPut(key, put).url) => {
      const answer = await send('PUT', url, headers, bytes)
      t.ok(isRefusal(answer), `${what}: ${answer.status}`)
      t.equal(await store.stat(key), undefined, `${what}: nothing is stored`)
    }
    const { url, headers } = store.signPut('acme/up/1', put)
    t.strictSame(headers, {
      'Content-Type': 'text/csv',
      'Content-Length': '8',
      'If-None-Match': '*',
      'x-amz-meta-object-id': 'obj_1'
    })
    await refusedOne('another length', 'acme/up/1', { ...headers, 'Content-Length': '9' }, Buffer.alloc(9))
    await refusedOne('a shorter one', 'acme/up/1', { ...headers, 'Content-Length': '7' }, Buffer.alloc(7))
    await refusedOne('another type', 'acme/up/1', { ...headers, 'Content-Type': 'text/html' })
    await refusedOne('another object', 'acme/up/1', { ...headers, 'x-amz-meta-object-id': 'obj_2' })
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...others } = headers
      await refusedOne(`without ${name}`, 'acme/up/1', others)
    }
    await refusedOne('another key', 'acme/up/2', headers, body, url.replace('/up/1', '/up/2'))
    await refusedOne('a longer life', 'acme/up/1', headers, body, url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))
    t.ok(isRefusal(await send('GET', url)), 'an address for writing does not read')

    t.equal((await send('PUT', url, headers, body)).status, 200)
    t.equal(Buffer.from(await store.getBytes('acme/up/1', 100)).toString(), body.toString())
    t.equal((await send('PUT', url, headers, Buffer.from('c,d\n3,4\n'))).status, 412, 'a second upload')
    t.equal(Buffer.from(await store.getBytes('acme/up/1', 100)).toString(), body.toString(), 'the first one stays')

    const anySize = store.signPut('acme/up/any', { ...put, bytes: null })
    t.notOk('Content-Length' in anySize.headers)
    t.equal((await send('PUT', anySize.url, { ...anySize.headers, 'Content-Length': '3' }, Buffer.from('abc'))).status,
      200, 'any size, when none was signed')

    const short = store.signPut('acme/up/late', { ...put, expiresInSeconds: 1 })
    await sleep(2_500)
    await refusedOne('expired', 'acme/up/late', short.headers, body, short.url)
  })
}

/** Which status a server refuses with depends on what it looks at first. */
function isRefusal ({ status }: Answer): boolean {
  return status >= 400 && status < 500
}
