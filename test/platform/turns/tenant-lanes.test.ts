import t from 'tap'
import { TenantLanes, type TenantLanesOptions } from '../../../src/platform/turns/tenant-lanes.ts'
import { uniform } from '../../support/random.ts'

const tick = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Pieces of work that end when the test says so. */
function desk (lanes: number, limit = 1000, options: TenantLanesOptions = {}) {
  const turns = new TenantLanes(limit, lanes, options)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    turns,
    started,
    add: (tenant: string | undefined, name: string) =>
      turns.take(tenant, async () => {
        started.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        ends.delete(name)
      }),
    async end (name: string) {
      ends.get(name)?.()
      await tick()
    },
    open: () => [...ends.keys()]
  }
}

t.test('a tenant with many pieces leaves a lane to the others, who take turns with it', async (t) => {
  const { add, end, started } = desk(2)
  for (let at = 0; at < 5; at++) void add('a', `a${at}`)
  await tick()
  t.strictSame(started, ['a0'], 'never all lanes')
  void add('b', 'b0')
  await tick()
  t.strictSame(started, ['a0', 'b0'], 'the other one starts at once')
  void add('c', 'c0')
  void add('b', 'b1')
  await end('a0')
  await end('a1')
  t.strictSame(started, ['a0', 'b0', 'a1', 'c0'], 'a2 came before c0, and its tenant has just had a turn')
  await end('b0')
  t.strictSame(started.slice(4), ['b1'])
})

t.test("one lane is everybody's, and what is of no tenant may have all", async (t) => {
  const one = desk(1)
  for (const name of ['a0', 'a1', 'a2']) void one.add('a', name)
  void one.add('b', 'b0')
  await tick()
  await one.end('a0')
  await one.end('a1')
  t.strictSame(one.started, ['a0', 'a1', 'b0'])
  const three = desk(3, 4)
  for (const name of ['x0', 'x1', 'x2', 'x3']) t.ok(three.add(undefined, name))
  await tick()
  t.strictSame(three.started, ['x0', 'x1', 'x2'])
  t.equal(await three.add('a', 'late'), undefined, 'beyond its bound it is busy')
})

t.test('a tenant who has taken all places gives up what came last of it for another, until both wait with as much', async (t) => {
  const { turns, add, end, started } = desk(1, 6)
  const fates = new Map<string, string>()
  const come = (tenant: string, name: string): void => {
    fates.set(name, 'waits')
    void add(tenant, name).then((done) =>
      fates.set(name, done === undefined && !started.includes(name) ? 'refused' : 'done')
    )
  }
  for (let at = 0; at < 7; at++) come('a', `a${at}`)
  await tick()
  t.equal(fates.get('a6'), 'refused', 'six are held')
  for (let at = 0; at < 3; at++) come('b', `b${at}`)
  await tick()
  const refused = [...fates].filter(([, fate]) => fate === 'refused').map(([name]) => name)
  t.strictSame(refused, ['a4', 'a5', 'a6', 'b2'], 'one runs, three and two wait')
  for (let step = 0; step < 6; step++) await end(started.at(-1) ?? '')
  t.strictSame(started, ['a0', 'a1', 'b0', 'a2', 'b1', 'a3'])
  await turns.idle()
})

t.test('where lanes wait for others, who has none gets one beyond their number, as long as there are some', async (t) => {
  const { add, end, started } = desk(4, 1000, { most: 6 })
  for (const tenant of ['a', 'b']) for (let at = 0; at < 3; at++) void add(tenant, `${tenant}${at}`)
  await tick()
  t.strictSame(started, ['a0', 'a1', 'a2', 'b0'], 'two who hang have all lanes')
  for (const name of ['c0', 'c1', 'd0', 'e0']) void add(name.slice(0, 1), name)
  await tick()
  t.strictSame(started.slice(4), ['c0', 'd0'])
  await end('c0')
  t.strictSame(started.slice(6), ['c1'], 'c has none again, and came before e')
  await end('d0')
  t.strictSame(started.slice(7), ['e0'])
  for (const name of ['a0', 'c1']) await end(name)
  t.strictSame(started.slice(8), [], 'four lanes are taken')
  await end('e0')
  t.strictSame(started.slice(8), ['b1'])
})

t.test('whatever comes and ends, no lane is idle that somebody may have, and everything is done once', async (t) => {
  for (let seed = 0; seed < 50; seed++) {
    const random = uniform(seed)
    const below = (end: number): number => Math.floor(random() * end)
    const lanes = 1 + below(4)
    const { turns, add, end, open, started } = desk(lanes)
    let made = 0
    const all: Array<Promise<void>> = []
    for (let step = 0; step < 60; step++) {
      if (below(3) > 0) all.push(add(`t${below(4)}`, `t${below(4)}-${made++}`))
      else if (open().length > 0) await end(open()[below(open().length)] ?? '')
      await tick()
      if (open().length > lanes) t.fail('more at a time than there are lanes')
    }
    await tick()
    while (open().length > 0) await end(open()[0] ?? '')
    await Promise.all(all)
    await turns.idle()
    if (started.length !== made) t.equal(started.length, made, `seed ${seed}`)
  }
  t.pass('50 orders')
})
