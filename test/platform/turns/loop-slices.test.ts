import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { LoopSlices } from '../../../src/platform/turns/loop-slices.ts'
import { until } from '../../support/until.ts'

function compute (ms: number): void {
  const startMs = performance.now()
  while (performance.now() - startMs < ms);
}

t.test('of a flood that comes at one moment a slice is worked on before others have their turn', async (t) => {
  const turns = new LoopSlices()
  const order: string[] = []
  const piece = (lane: string) => async (): Promise<void> => {
    await Promise.resolve()
    compute(3)
    order.push(lane)
  }
  const take = (lane: string): void =>
    turns.take(lane, () => {
      void piece(lane)()
    })
  for (let count = 0; count < 64; count++) {
    take('flood')
    // Requests come in turns of microtasks of their own.
    await Promise.resolve()
  }
  await immediate()
  t.ok(order.length < 8, `${order.length} of 64 were done in the first turns`)
  for (const lane of ['first', 'second', 'first']) take(lane)
  await until('all of it', () => order.length === 67)
  for (const lane of ['first', 'second']) t.ok(order.indexOf(lane) < 16, `${lane}: after ${order.indexOf(lane)} pieces`)
  t.ok(order.lastIndexOf('first') < 20, 'and the second time')
})

t.test('work of a lane is done in the order it came, each piece once, whatever others do', async (t) => {
  const turns = new LoopSlices()
  const done = new Map<string, number[]>([['a', []], ['b', []], ['c', []]])
  for (let round = 0; round < 300; round++) {
    for (const lane of ['a', 'b', 'c'].slice(round % 3)) {
      turns.take(lane, () => {
        compute(0.1)
        done.get(lane)?.push(round)
      })
    }
    if (round % 50 === 0) await immediate()
  }
  await until('all of it', () => [...done.values()].flat().length === 600)
  for (const [lane, rounds] of done) t.strictSame(rounds, [...rounds].sort((one, other) => one - other), lane)
})

t.test('those who share a lane take turns in it, and have no more of the thread than one', async (t) => {
  const slices = new LoopSlices()
  const order: string[] = []
  await new Promise<void>((resolve) => {
    const total = 5 * 40 + 20
    const take = (lane: string, member: string) =>
      slices.take(lane, () => {
        compute(1)
        order.push(lane === 'shared' ? member : lane)
        if (order.length === total) resolve()
      }, member)
    for (let index = 0; index < 40; index++) take('shared', 'a')
    for (const member of ['b', 'c', 'd', 'e']) for (let index = 0; index < 40; index++) take('shared', member)
    for (let index = 0; index < 20; index++) take('tenant', '')
  })
  const before = order.slice(0, order.lastIndexOf('tenant')).filter((one) => one !== 'tenant').length
  t.ok(before <= 60, `${before} of the shared lane came before 20 of the other`)
  for (const member of ['b', 'c', 'd', 'e']) t.ok(order.indexOf(member) < order.lastIndexOf('a') - 20, order.join(''))
})

t.test('a lane whose pieces are long gives the others as much time between them', async (t) => {
  const turns = new LoopSlices()
  const order: string[] = []
  const take = (lane: string, ms: number): void =>
    turns.take(lane, () => {
      compute(ms)
      order.push(lane)
    })
  take('other', 0)
  for (let count = 0; count < 4; count++) take('long', 40)
  const startMs = performance.now()
  while (performance.now() - startMs < 400 && order.filter((lane) => lane === 'long').length < 4) {
    take('other', 0)
    await immediate()
  }
  await until('all of it', () => order.filter((lane) => lane === 'long').length === 4)
  const gaps = order.join(' ').split('long').slice(1, 4).map((text) => text.split('other').length - 1)
  for (const gap of gaps) t.ok(gap > 3, `${gaps.join(', ')} pieces of the other one between two long ones`)
})

t.test('a lane with long pieces waits for nobody when it is alone', async (t) => {
  const turns = new LoopSlices()
  const done: number[] = []
  let rounds = 0
  for (let count = 0; count < 4; count++) {
    turns.take('long', () => {
      compute(30)
      done.push(count)
    })
  }
  while (done.length < 4) {
    await immediate()
    rounds++
  }
  t.ok(rounds < 20, `${rounds} turns of the loop`)
})

t.test('short pieces are not served one by one between the long pieces of others', async (t) => {
  const turns = new LoopSlices()
  const order: string[] = []
  const take = (lane: string, ms: number): void =>
    turns.take(lane, () => {
      compute(ms)
      order.push(lane)
    })
  for (let count = 0; count < 20; count++) for (let lane = 0; lane < 8; lane++) take(`long-${lane}`, 8)
  await immediate()
  for (let count = 0; count < 30; count++) take('short', 0.02)
  await until('all of it', () => order.length === 190)
  const before = order.slice(0, order.lastIndexOf('short')).filter((lane) => lane !== 'short').length
  t.ok(before <= 30, `${before} long pieces came before 30 short ones`)
})
