import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { DueLanes } from '../../../src/platform/due-work/due-lanes.ts'
import { DueRunner } from '../../../src/platform/due-work/due-runner.ts'
import type { Lane } from '../../../src/platform/due-work/due-table.ts'
import { uniform } from '../../support/random.ts'
import { until } from '../../support/until.ts'

interface Task {
  tenant: string
  host: string
  id: string
  dueMs: number
}

/** A table of tasks in memory, which counts how often it is read; attempts end when the test says so, or at once. */
function desk (t: Test, {
  most = 64,
  mostOfTenant = 32,
  isHeld = false,
  begin = () => undefined as void,
  pausedUntilMs = (_lane: Lane, nowMs: number) => nowMs
} = {}) {
  const table = new Map<string, Map<string, Task>>()
  const laneOf = ({ tenant, host }: Task): Lane => [tenant, host]
  const idOf = (task: Task): string => laneOf(task).join(' ')
  const reads = { lanes: 0, due: 0 }
  const attempted: string[] = []
  const held = new Map<string, () => void>()
  let announce: (lane: Lane, dueMs: number) => void = () => undefined
  const sorted = (lane: Lane): Task[] =>
    [...table.get(lane.join(' '))?.values() ?? []].sort((one, other) => one.dueMs - other.dueMs)
  const runner = new DueRunner<Task>({
    name: 'test',
    table: {
      onDue (tell) {
        announce = tell
      },
      *lanes (after) {
        let isBehind = after === undefined
        for (const [id, tasks] of table) {
          const [first] = tasks.values()
          if (isBehind && first !== undefined) {
            reads.lanes++
            yield { lane: laneOf(first), dueMs: Math.min(...[...tasks.values()].map(({ dueMs }) => dueMs)) }
          }
          isBehind ||= after !== undefined && id === after.join(' ')
        }
      },
      due (lane, nowMs, limit) {
        reads.due++
        return sorted(lane).filter(({ dueMs }) => dueMs <= nowMs).slice(0, limit).map((value) => ({
          lane,
          id: value.id,
          value
        }))
      },
      nextDueMs: (lane, nowMs) => sorted(lane).find(({ dueMs }) => dueMs > nowMs)?.dueMs
    },
    mostListed: 16,
    most,
    mostOfTenant,
    pausedUntilMs,
    hasRoom: ([, host], underWay) => underWay.filter((lane) => lane[1] === host).length < 8,
    async attempt ({ id, value: task }) {
      attempted.push(id)
      begin()
      if (isHeld) await new Promise<void>((resolve) => held.set(id, resolve))
      held.delete(id)
      table.get(idOf(task))?.delete(id)
      if (table.get(idOf(task))?.size === 0) table.delete(idOf(task))
    }
  }, pino({ level: 'silent' }))
  t.teardown(async () => {
    for (let stopped = false; !stopped;) {
      for (const end of [...held.values()]) end()
      stopped = await Promise.race([runner.stop().then(() => true), sleep(10).then(() => false)])
    }
  })
  const put = (task: Task): void => {
    const tasks = table.get(idOf(task)) ?? new Map<string, Task>()
    table.set(idOf(task), tasks.set(task.id, task))
  }
  return { announce: (lane: Lane, dueMs: number) => announce(lane, dueMs), reads, attempted, held, table, put }
}

t.test('twenty thousand lanes in which nothing is due are found once, and not walked through each time', async (t) => {
  const { announce, reads, attempted, table, put } = desk(t)
  const later = Date.now() + 3_600_000
  for (let at = 0; at < 20_000; at++) {
    put({ tenant: `t${at % 50}`, host: `h${at}`, id: `m${at}`, dueMs: at === 19_999 ? Date.now() - 1 : later })
  }
  await until('what an earlier process left is found', () => attempted.includes('m19999'))
  t.equal(table.size, 19_999)
  const before = { ...reads }
  await sleep(1_100)
  t.ok(reads.lanes - before.lanes <= 600, `${reads.lanes - before.lanes} lanes were read in four or five looks`)
  t.ok(reads.due - before.due <= 5, 'nothing is due')
  // Announced while it is written; it can be read some moments later.
  announce(['new', 'h'], Date.now())
  await sleep(600)
  put({ tenant: 'new', host: 'h', id: 'late', dueMs: Date.now() })
  await until('it is found', () => attempted.includes('late'), 5_000)
  const soon = { tenant: 'new', host: 'soon', id: 'soon', dueMs: Date.now() + 700 }
  announce([soon.tenant, soon.host], soon.dueMs)
  put(soon)
  await sleep(350)
  t.notOk(attempted.includes('soon'), 'not before its time')
  await until('its time has come', () => attempted.includes('soon'), 5_000)
})

t.test('tenants take turns, whatever one has waiting, and a host that hangs holds up its own lanes', async (t) => {
  const { attempted, held, put } = desk(t, { most: 12, mostOfTenant: 10, isHeld: true })
  for (let at = 0; at < 20; at++) put({ tenant: 'a', host: 'hangs', id: `hangs${at}`, dueMs: 1 })
  for (let at = 0; at < 500; at++) put({ tenant: 'a', host: `h${at}`, id: `a${at}`, dueMs: 2 })
  const hanging = (): number => attempted.filter((id) => id.startsWith('hangs')).length
  await until('the tenant has its most', () => attempted.length === 10)
  for (const name of ['b', 'c', 'd']) {
    for (let at = 0; at < 4; at++) put({ tenant: name, host: `h${at}`, id: `${name}${at}`, dueMs: 3 })
  }
  await until('each of them has a place, one beyond all that there are', () => attempted.length === 13)
  t.strictSame(attempted.slice(10), ['b0', 'c0', 'd0'])
  const ends = attempted.filter((id) => /^a\d/.test(id))
  for (const id of [...ends.slice(0, 2), 'b0']) held.get(id)?.()
  await until('two places are free', () => attempted.length >= 15)
  t.ok(attempted.slice(13, 15).includes('b1'), 'nobody is behind all that the first has waiting')
  for (const id of [...held.keys()].filter((id) => !id.startsWith('hangs'))) held.get(id)?.()
  await until('the others go on beside the one that hangs', async () => {
    for (const id of [...held.keys()].filter((id) => !id.startsWith('hangs'))) held.get(id)?.()
    return attempted.filter((id) => /^a\d/.test(id)).length === 500
  })
  await until('it has its own places', () => hanging() === 8)
  await sleep(600)
  t.equal(hanging(), 8, 'and no more')
})

t.test('a lane that pauses is looked at when its pause is over, and the others go on', async (t) => {
  const pauses = new Map<string, number>()
  const { attempted, put, reads } = desk(t, {
    begin: () => pauses.set('slow', Date.now() + 700),
    pausedUntilMs: ([, host], nowMs) => pauses.get(host ?? '') ?? nowMs
  })
  for (let at = 0; at < 3; at++) put({ tenant: 'a', host: 'slow', id: `slow${at}`, dueMs: 1 })
  await until('the first', () => attempted.length === 1)
  for (let at = 0; at < 3; at++) put({ tenant: 'a', host: 'quick', id: `quick${at}`, dueMs: 1 })
  await until('the others', () => attempted.filter((id) => id.startsWith('quick')).length === 3)
  t.notOk(attempted.includes('slow1'))
  const before = reads.due
  await until('its turn', () => attempted.includes('slow1'))
  t.notOk(attempted.includes('slow2'))
  t.ok(reads.due - before < 10, 'it is not looked at meanwhile')
  await until('all', () => attempted.includes('slow2'))
})

t.test('attempts that compute before they wait for anybody begin in turns of their own', async (t) => {
  let turn = 0
  let counting: NodeJS.Immediate
  const count = (): void => {
    turn++
    counting = setImmediate(count)
  }
  count()
  t.teardown(() => clearImmediate(counting))
  const turns: number[] = []
  const { put } = desk(t, {
    begin () {
      turns.push(turn)
      const startMs = performance.now()
      while (performance.now() < startMs + 6);
    }
  })
  for (let at = 0; at < 8; at++) put({ tenant: 'a', host: 'h', id: `a${at}`, dueMs: 1 })
  for (let at = 0; at < 8; at++) put({ tenant: `b${at}`, host: `h${at}`, id: `b${at}`, dueMs: 1 })
  await until('all have begun', () => turns.length === 16)
  // The look of every 250 ms may come in a turn in which others begin.
  const ofTurn = [...new Set(turns)].map((one) => turns.filter((other) => other === one).length)
  t.ok(Math.max(...ofTurn) <= 2, turns.join(' '))
})

t.test('two tenants whose attempts hang do not hold all places for ever', async (t) => {
  const { attempted, put } = desk(t, { most: 8, mostOfTenant: 4, isHeld: true })
  for (const tenant of ['a', 'b']) {
    for (let at = 0; at < 20; at++) put({ tenant, host: `${tenant}${at}`, id: `${tenant}${at}`, dueMs: 1 })
  }
  await until('they hold all places', () => attempted.length === 8)
  for (let at = 0; at < 20; at++) put({ tenant: `c${at}`, host: `c${at}`, id: `c${at}`, dueMs: 2 })
  await until('others have one each, up to twice as many in all', () => attempted.length >= 16)
  await sleep(600)
  t.equal(attempted.length, 16)
})

t.test('each lane is taken once, at the earliest time that was said of it, also when the clock is set back', async (t) => {
  const random = uniform(3)
  const below = (end: number): number => Math.floor(random() * end)
  for (let round = 0; round < 50; round++) {
    const lanes = new DueLanes<string>((lane) => lane)
    const expected = new Map<string, number>()
    let nowMs = 1_000_000
    for (let step = 0; step < 300; step++) {
      const [lane, dueMs] = [`l${below(40)}`, nowMs + below(5_000) - 1_000]
      lanes.expect(lane, dueMs)
      // What should have been done before is done at the next look.
      expected.set(lane, Math.min(Math.max(dueMs, nowMs), expected.get(lane) ?? Infinity))
      if (below(3) > 0) continue
      nowMs += below(20) === 0 ? 60_000 : below(400)
      for (const one of lanes.take(nowMs, 10_000)) {
        if ((expected.get(one) ?? Infinity) > nowMs) t.fail(`${one} is not due`)
        expected.delete(one)
      }
      for (const [one, due] of expected) if (due <= nowMs - 100) t.fail(`${one} was due ${nowMs - due} ms ago`)
    }
    nowMs -= 3_600_000
    lanes.take(nowMs, 10)
    lanes.expect('back', nowMs + 100)
    if (!lanes.take(nowMs + 200, 10).includes('back')) t.fail('lost with the clock')
  }
  t.pass('50 rounds')
})
