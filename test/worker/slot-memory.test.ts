import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { SlotMemory, slotMemoryBounds, type MemoryVerdict } from '../../src/worker/slot-memory.ts'
import { SlotPool } from '../../src/worker/slot-pool.ts'
import { until } from '../support/until.ts'

const MiB = 2 ** 20
const GiB = 2 ** 30

t.test('what slots may have fits the machine, and half of it is there for one', async (t) => {
  const of = (memory: number, settings: Partial<Parameters<typeof slotMemoryBounds>[0]> = {}) =>
    slotMemoryBounds({ SLOT_MEMORY_BYTES: 0, SLOTS_MEMORY_BYTES: 0, WORKERS: 1, ...settings }, memory)
  t.same(of(24 * GiB), { eachBytes: 12 * GiB, allBytes: 18 * GiB })
  t.same(of(24 * GiB, { WORKERS: 3 }), { eachBytes: 4 * GiB, allBytes: 6 * GiB })
  t.same(of(24 * GiB, { WORKERS: 0 }), { eachBytes: 12 * GiB, allBytes: 18 * GiB }, 'a worker of its own machine')
  t.same(of(GiB), { eachBytes: GiB, allBytes: GiB }, 'less is of no use')
  t.same(of(24 * GiB, { SLOT_MEMORY_BYTES: 20 * GiB }), { eachBytes: 20 * GiB, allBytes: 20 * GiB })
  t.same(of(24 * GiB, { SLOTS_MEMORY_BYTES: 9 * GiB }), { eachBytes: 6 * GiB, allBytes: 9 * GiB })
  t.same(of(24 * GiB, { SLOT_MEMORY_BYTES: 1, SLOTS_MEMORY_BYTES: 1 }), { eachBytes: 64 * MiB, allBytes: 64 * MiB })
  t.same(of(24 * GiB, { SLOT_MEMORY_BYTES: 2 * GiB, SLOTS_MEMORY_BYTES: 3 * GiB }), {
    eachBytes: 2 * GiB,
    allBytes: 3 * GiB
  })
})

/** A process that has so much memory beside that of Node, which is some 50 MiB. */
async function holder (t: Test, bytes: number): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e',
    `globalThis.held = Buffer.alloc(${bytes}, 1); process.stdout.write('.'); setInterval(() => {}, 1e6)`], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid
}

t.test('beyond the limit of all the largest goes, but not the oldest task nor an ordinary one', async (t) => {
  const memory = new SlotMemory({ eachBytes: 900 * MiB, allBytes: 1_200 * MiB })
  const ends: Array<[string, MemoryVerdict]> = []
  const seen = new Map<string, number>()
  const watch = async (name: string, bytes: number, startedMs: number): Promise<() => void> =>
    memory.watch({
      pid: await holder(t, bytes),
      startedMs,
      seen: (resident) => seen.set(name, resident),
      end: (verdict) => ends.push([name, verdict])
    })
  const leave = [await watch('oldest', 600 * MiB, 1), await watch('ordinary', 1 * MiB, 4)]
  t.teardown(() => leave.forEach((end) => end()))
  await until('both to be seen', () => seen.size === 2)
  leave.push(await watch('second of the same', 300 * MiB, 2))
  await until('it to be seen', () => seen.size === 3)
  t.same(ends, [], 'there is room for all three')
  // Less than the second one, and younger.
  leave.push(await watch('neighbour', 230 * MiB, 3))
  await until('one to go', () => ends.length > 0)
  t.same(ends, [['second of the same', 'crowded']])
  seen.clear()
  await until('the others to be seen again', () => seen.size >= 3)
  t.equal(ends.length, 1, 'without it there is room')
  leave.push(await watch('too large', 920 * MiB, 0))
  await until('it to go', () => ends.length > 1)
  t.same(ends[1], ['too large', 'memory'], 'for what it has, whoever was first')
  t.equal(ends.length, 2)
})

t.test('a process that is being killed gets no further task', async (t) => {
  const pool = new SlotPool({
    slots: 1,
    smallOnly: 0,
    memory: new SlotMemory({ eachBytes: GiB, allBytes: GiB }),
    nice: { small: 0, any: 0 },
    maxTasks: 100,
    maxAgeMs: 600_000,
    log: pino({ level: 'silent' })
  })
  t.teardown(() => pool.stop())
  const { signal } = new AbortController()
  const slot = await pool.takeWhenFree('large', signal)
  const { process } = slot
  // As for its memory; the end of its task arrives before the end of the process.
  process.kill()
  pool.release(slot)
  t.not((await pool.takeWhenFree('large', signal)).process.pid, process.pid)
  await process.exited
})
