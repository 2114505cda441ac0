import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { ObjectStore } from '../../../src/platform/store/object-store.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { s3StoreConfig } from '../../support/s3.ts'
import { keysOf, refused } from './conformance.ts'

/** A store that answers every request for the object or the list as told. */
async function open (t: Test, answer: (response: ServerResponse, path: string) => void): Promise<ObjectStore> {
  const server = createServer((request, response) => answer(response, request.url ?? ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return await openStore(s3StoreConfig({ endpoint, accessKeyId: 'key', secretAccessKey: 'secret' } as never, 'bucket'))
}

t.test('a list that does not go on is refused', async (t) => {
  const store = await open(t, (response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(
      '<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><Prefix></Prefix><KeyCount>1</KeyCount>' +
        '<MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken>' +
        '<Contents><Key>a/b</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"e"</ETag><Size>1</Size>' +
        '</Contents></ListBucketResult>'
    ))
  await refused(t, 'unavailable', keysOf(store, 'a/'), 'list')
})

t.test('an object of unknown size is refused before it is read', async (t) => {
  const store = await open(t, (response) => {
    response.writeHead(200).write('x')
  })
  await refused(t, 'unavailable', store.getBytes('a/b', 10), 'getBytes')
})
