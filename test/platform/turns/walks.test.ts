import t from 'tap'
import { byBytes } from '../../../src/platform/turns/by-bytes.ts'
import { inPortions } from '../../../src/platform/turns/in-portions.ts'

function compute (ms: number): void {
  const startMs = performance.now()
  while (performance.now() - startMs < ms);
}

t.test('a walk pauses each time that it has taken its portion, and ends where a pause rejects', async (t) => {
  let pauses = 0
  const seen: number[] = []
  for await (const item of inPortions([1, 2, 3], async () => {
    pauses++
  })) {
    seen.push(item)
    compute(6)
  }
  t.strictSame([seen, pauses], [[1, 2, 3], 3])

  let walked = 0
  const walk = async (): Promise<void> => {
    for await (const item of inPortions([1, 2, 3], async () => {
      throw new Error('The client has left.')
    })) {
      walked += item
      compute(6)
    }
  }
  await t.rejects(walk(), { message: 'The client has left.' })
  t.equal(walked, 1)
})

t.test('neighbours come in groups of at most so many bytes, and what has more comes alone', async (t) => {
  const groups = (sizes: number[]): number[][] =>
    [...byBytes(sizes.map((bytes) => ({ bytes })), 10)].map((group) => group.map(({ bytes }) => bytes))
  t.strictSame(groups([]), [])
  t.strictSame(groups([4, 6, 1, 30, 2, 9, 1]), [[4, 6], [1], [30], [2], [9, 1]])
})
