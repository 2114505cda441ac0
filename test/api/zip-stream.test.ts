import { Readable } from 'node:stream'
import { once } from 'node:events'
import t from 'tap'
import { zipStream } from '../../src/api/zip-stream.ts'

t.test('a reader who leaves while an entry is opened leaves nothing open', async (t) => {
  const stream = Readable.from([Buffer.alloc(1_000_000)])
  let opened: (stream: Readable) => void = () => undefined
  const zip = zipStream([{
    name: 'a.csv',
    open: async () =>
      await new Promise<Readable>((resolve) => {
        opened = resolve
      })
  }])
  zip.resume()
  await new Promise((resolve) => setImmediate(resolve))
  zip.destroy()
  await once(zip, 'close')
  opened(stream)
  await once(stream, 'close')
  t.ok(stream.destroyed)
})
