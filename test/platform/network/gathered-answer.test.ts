import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { GatheredAnswer } from '../../../src/platform/network/gathered-answer.ts'

/** An answer in pieces of so many bytes, a piece a turn; `taken` counts those that somebody has asked for. */
function answer (pieces: number, bytes: number): { source: Readable, taken: () => number } {
  let taken = 0
  async function* parts (): AsyncGenerator<Buffer> {
    for (; taken < pieces; taken++) {
      await turn()
      yield Buffer.alloc(bytes, 'x')
    }
  }
  return { source: Readable.from(parts()), taken: () => taken }
}

t.test('an answer comes whole, in few pieces', async (t) => {
  const gathered = new GatheredAnswer(1_000_000)
  for (let at = 0; at < 1000; at++) gathered.write(Buffer.alloc(100, String(at % 10)))
  gathered.end()
  let pieces = 0
  gathered.on('data', () => pieces++)
  const whole = await text(gathered)
  t.equal(whole, Array.from({ length: 1000 }, (_, at) => String(at % 10).repeat(100)).join(''))
  t.ok(pieces < 20, `${pieces} pieces`)
})

t.test('whoever does not read holds the sender up', async (t) => {
  const { source, taken } = answer(10_000, 8 * 1024)
  const gathered = source.pipe(new GatheredAnswer(Infinity))
  for (let at = 0; at < 1000; at++) await turn()
  t.ok(taken() < 40, `${taken()} pieces of 8 KiB were taken`)
  gathered.destroy()
})

t.test('more bytes than there may be, and crumbs, end it', async (t) => {
  await t.rejects(text(answer(20, 1000).source.pipe(new GatheredAnswer(10_000))), { name: 'UnboundedAnswer' })
  await t.rejects(text(answer(5000, 2).source.pipe(new GatheredAnswer(1_000_000))), { name: 'UnboundedAnswer' })
  t.equal((await text(answer(3000, 13).source.pipe(new GatheredAnswer(1_000_000)))).length, 39_000,
    'rows of a table, one by one')
})
