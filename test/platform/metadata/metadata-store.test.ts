import t, { type Test } from 'tap'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { open } from 'lmdb'
import type { Key, MetadataOptions, MetadataStore, RangeOptions, Table,
  Transaction } from '../../../src/platform/metadata/metadata-store.ts'
import { GroupCommit } from '../../../src/platform/metadata/group-commit.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { seededRandom } from '../../support/random.ts'
import { jobLike, type JobLike } from './job-like.ts'

async function openJobs (t: Test,
  options: Partial<MetadataOptions> = {}): Promise<{ path: string, store: MetadataStore, jobs: Table<JobLike> }> {
  const path = options.path ?? join(t.testdir(), 'metadata')
  const store = await openMetadata({ tables: ['jobs', 'outbox'], ...options, path })
  t.teardown(() => store.close())
  return { path, store, jobs: store.table<JobLike>('jobs') }
}

t.test('a record comes back with its revision, which counts its writes', async (t) => {
  const { store, jobs } = await openJobs(t)
  const key = ['acme', 'j1']
  t.equal(jobs.get(key), undefined)
  t.equal(await store.transact((tx) => tx.createIfAbsent(jobs, key, jobLike('j1'))), true)
  t.equal(await store.transact((tx) => tx.createIfAbsent(jobs, key, jobLike('other'))), false)
  t.match(jobs.get(key), { value: jobLike('j1'), revision: 1 })
  t.equal(await store.transact((tx) => tx.putIfRevision(jobs, key, jobLike('j1', 1), 1)), true)
  t.equal(await store.transact((tx) => tx.putIfRevision(jobs, key, jobLike('j1', 2), 1)), false, 'an old revision')
  t.equal(await store.transact((tx) => tx.putIfRevision(jobs, ['acme', 'j2'], jobLike('j2'), 1)), false, 'no record')
  t.match(jobs.get(key), { value: jobLike('j1', 1), revision: 2 })
  await store.transact((tx) => tx.put(jobs, key, jobLike('j1', 3)))
  t.equal(jobs.get(key)?.revision, 3)
  t.equal(jobs.hasRevision(key, 3), true)
  t.equal(jobs.hasRevision(key, 2), false)
  t.equal(jobs.hasRevision(['acme', 'j2'], 3), false)
  t.equal(await store.transact((tx) => tx.delete(jobs, key)), true)
  t.equal(await store.transact((tx) => tx.delete(jobs, key)), false)
  t.equal(jobs.get(key), undefined)
  t.equal(jobs.hasRevision(key, 3), false)
})

t.test('a record larger than the buffer of reads has its revision too', async (t) => {
  const { store, jobs } = await openJobs(t)
  await store.transact((tx) => tx.put(jobs, ['acme', 'large'], jobLike('x'.repeat(300_000))))
  t.equal(jobs.hasRevision(['acme', 'large'], 1), true)
  t.equal(jobs.hasRevision(['acme', 'large'], 2), false)
})

t.test('one of many concurrent writers of a revision wins, and none of many increments is lost', async (t) => {
  const { store, jobs } = await openJobs(t)
  await store.transact((tx) => tx.put(jobs, ['a'], jobLike('a')))
  const wins = await Promise.all(
    Array.from({ length: 50 }, () => store.transact((tx) => tx.putIfRevision(jobs, ['a'], jobLike('a', 1), 1)))
  )
  t.equal(wins.filter(Boolean).length, 1)
  const counters = store.table<number>('outbox')
  await Promise.all(
    Array.from({ length: 200 },
      () => store.transact((tx) => tx.put(counters, ['n'], (tx.get(counters, ['n'])?.value ?? 0) + 1)))
  )
  t.match(counters.get(['n']), { value: 200, revision: 200 })
})

t.test('a transaction sees its own writes, and others see them only when it is committed', async (t) => {
  const { store, jobs } = await openJobs(t)
  await store.transact((tx) => {
    for (const id of ['a', 'b', 'c']) tx.put(jobs, ['t', id], jobLike(id))
  })
  const committed = store.transact((tx) => {
    tx.put(jobs, ['t', 'd'], jobLike('d'))
    tx.delete(jobs, ['t', 'a'])
    t.equal(tx.get(jobs, ['t', 'd'])?.value.id, 'd')
    t.equal(tx.get(jobs, ['t', 'a']), undefined)
    const walked = tx.range(jobs, { prefix: ['t'] })
    for (const { key } of walked) tx.delete(jobs, key)
    t.same(walked.map(({ key }) => key[1]), ['b', 'c', 'd'], 'a range stays whole while its records are deleted')
    t.same(tx.range(jobs), [])
    tx.put(jobs, ['t', 'e'], jobLike('e'))
    return 'done'
  })
  t.equal(jobs.count(), 3)
  t.equal(await committed, 'done')
  t.same([...jobs.range()].map(({ key }) => key), [['t', 'e']])
})

t.test('a throwing transaction leaves nothing, and its neighbours in the same commit stay', async (t) => {
  const { store, jobs } = await openJobs(t)
  const outbox = store.table<string>('outbox')
  const fault = new Error('refused by the service')
  const results = await Promise.allSettled([
    store.transact((tx) => tx.put(jobs, ['before'], jobLike('before'))),
    store.transact((tx) => {
      tx.put(jobs, ['half'], jobLike('half'))
      tx.put(outbox, ['half'], 'half')
      tx.delete(jobs, ['before'])
      throw fault
    }),
    store.transact((tx) => tx.put(jobs, ['after'], jobLike('after')))
  ])
  t.same(results.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled'])
  t.equal((results[1] as PromiseRejectedResult).reason, fault)
  t.same([...jobs.range()].map(({ key }) => key), [['after'], ['before']])
  t.equal(outbox.count(), 0)
})

t.test('transactions of the same moment share a commit', async (t) => {
  const { path, store, jobs } = await openJobs(t)
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => store.transact((tx) => tx.put(jobs, [index], jobLike(String(index)))))
  )
  t.equal(jobs.count(), 100)
  await store.close()
  const raw = open({ path, readOnly: true })
  const { lastTxnId } = raw.getStats() as { lastTxnId: number }
  await raw.close()
  t.ok(lastTxnId < 20, `the folder has had ${lastTxnId} commits, its making included`)
})

/** Holds the thread for a millisecond or more, as a large transaction does. */
function work (): void {
  const endMs = performance.now() + 1
  while (performance.now() < endMs);
}

t.test('transactions that take long share few milliseconds of a turn: other events are looked at between them', async (t) => {
  const { store, jobs } = await openJobs(t)
  const turns: number[] = []
  let turn = 0
  let isOver = false
  const count = (): void => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const ends = await Promise.allSettled(Array.from({ length: 300 }, (_each, index) =>
    store.transact((tx) => {
      work()
      turns.push(turn)
      tx.put(jobs, ['t', `${index}`], jobLike('a'))
      if (index % 3 === 0) throw new Error(`undone ${index}`)
      return index
    })))
  isOver = true
  t.strictSame(ends.map((end) => end.status === 'fulfilled' ? end.value : (end.reason as Error).message),
    ends.map((_end, index) => index % 3 === 0 ? `undone ${index}` : index), 'each is done once, and has its own end')
  t.strictSame([...jobs.range()].length, 200)
  const most = Math.max(...turns.map((one) => turns.filter((other) => other === one).length))
  t.ok(most <= 10, `${most} in one turn`)
})

t.test('who writes much does not hold up the others, and its own writes keep their order', async (t) => {
  const { store, jobs } = await openJobs(t)
  const order: number[] = []
  let ofOther = -1
  const flood = Promise.all(Array.from({ length: 100 }, (_each, index) =>
    store.transact((tx) => {
      work()
      order.push(index)
      tx.put(jobs, ['evil', 'one'], jobLike('a', index))
    }, 'evil')))
  await store.transact((tx) => {
    ofOther = order.length
    tx.put(jobs, ['good', 'one'], jobLike('b'))
  }, 'good')
  await flood
  t.ok(ofOther <= 1, `${ofOther} writes of the other lane came before it`)
  t.strictSame(order, order.map((_index, at) => at))
  t.match(jobs.get(['evil', 'one'])?.value, jobLike('a', 99))
})

/** Seven tenants with 60 transactions of a millisecond each. `done`: in the order in which they began. */
function flood (store: MetadataStore): { done: string[], over: Promise<unknown> } {
  const done: string[] = []
  const over = Promise.all(Array.from({ length: 420 }, (_each, index) => {
    const tenant = `tenant ${index % 7}`
    return store.transact(() => {
      work()
      done.push(tenant)
    }, tenant)
  }))
  return { done, over }
}

/** Groups that are run as LMDB runs them, on a clock of their own that only work moves on. */
function openGroups () {
  const order: string[] = []
  let ms = 0
  const commits = new GroupCommit(async (group) => {
    const results = group.map((one) => one())
    await nextTurn()
    return results.map((value) => ({ status: 'fulfilled', value }))
  }, () => ms)
  const many = async (length: number, takesMs: number, lane?: string): Promise<void> => {
    await Promise.all(Array.from({ length }, () =>
      commits.run(() => {
        ms += takesMs
        order.push(lane ?? 'service')
      }, lane)))
  }
  return { order, many }
}

t.test('the service has half of the time beside tenants, whoever of them has transactions that take long', async (t) => {
  const slowTenants = openGroups()
  await Promise.all([
    slowTenants.many(10, 8, 'acme'),
    slowTenants.many(10, 8, 'beta'),
    slowTenants.many(64, 0.5)
  ])
  const { order } = slowTenants
  const before = order.slice(0, order.lastIndexOf('service')).filter((one) => one !== 'service')
  t.strictSame(before, ['acme', 'beta', 'acme', 'beta'], 'eight milliseconds each, and the service has had 31.5')

  const slowService = openGroups()
  await Promise.all([slowService.many(10, 12), slowService.many(20, 1, 'acme')])
  t.equal(slowService.order.lastIndexOf('acme'), 21, 'what is beyond a group is not paid back')

  const idleService = openGroups()
  await idleService.many(100, 1, 'acme')
  await Promise.all([idleService.many(30, 1, 'acme'), idleService.many(30, 1)])
  const late = idleService.order.slice(100)
  t.strictSame(late.slice(0, 10), Array.from({ length: 10 }, () => 'service'), 'it saves up for one group')
  t.equal(late.slice(0, 30).filter((one) => one === 'service').length, 20)
})

t.test('what cannot begin fails with its group, once', async (t) => {
  let begun = 0
  const fault = new Error('no disk')
  const commits = new GroupCommit(async (group) => {
    if (begun === 0) throw fault
    group[0]?.()
    await nextTurn()
    return group.map(() => ({ status: 'rejected', reason: fault }))
  })
  const run = async () =>
    (await Promise.allSettled(
      Array.from({ length: 5 }, (_each, index) => commits.run(() => begun++, index === 0 ? undefined : 'acme'))
    )).map(({ status }) => status)
  t.strictSame(await run(), Array.from({ length: 5 }, () => 'rejected'), 'none began')
  t.equal(begun, 0)
  begun = 1
  t.strictSame(await run(), Array.from({ length: 5 }, () => 'rejected'), 'one did')
  t.equal(begun, 2)
})

t.test('a probe goes before all that waits', async (t) => {
  const { store } = await openJobs(t)
  const { done, over } = flood(store)
  await nextTurn()
  await store.probe()
  t.ok(done.length <= 30, `${done.length} came before the probe`)
  await over
})

t.test('a service whose transactions take long leaves tenants their turns', async (t) => {
  const { store } = await openJobs(t)
  const order: string[] = []
  const own = Promise.all(Array.from({ length: 10 }, () =>
    store.transact(() => {
      for (let ms = 0; ms < 12; ms++) work()
      order.push('service')
    })))
  await Promise.all(Array.from({ length: 4 }, () => store.transact(() => order.push('acme'), 'acme')))
  await own
  t.ok(order.lastIndexOf('acme') <= 8, order.join())
})

t.test('a barrier waits for every lane, and for nothing that comes later', async (t) => {
  const { store } = await openJobs(t)
  const { done, over } = flood(store)
  // Some of them are under way.
  await nextTurn()
  const barrier = store.barrier()
  let later = 0
  const state = { isOver: false }
  const coming = (async () => {
    while (!state.isOver) await store.transact(() => later++, 'late')
  })()
  await barrier
  t.equal(done.length, 420)
  state.isOver = true
  await Promise.all([over, coming])
  t.ok(later > 0)
})

t.test('few are tried where few get their turn, and many again where many do', async (t) => {
  const groups: number[] = []
  const commits = new GroupCommit(async (group) => {
    groups.push(group.length)
    const results = group.map((one) => one())
    await nextTurn()
    return results.map((value) => ({ status: 'fulfilled', value }))
  })
  const many = (length: number, each: () => void) =>
    Promise.all(Array.from({ length }, (_each, index) => commits.run(each, `tenant ${index % 3}`)))
  await many(1_000, work)
  const tried = groups.reduce((sum, length) => sum + length)
  t.ok(tried < 4_500, `${tried} were tried for 1,000 that were done`)
  groups.length = 0
  await many(3_000, () => undefined)
  t.ok(Math.max(...groups) > 500, groups.join())
})

t.test('a transaction ends with its function', async (t) => {
  const { store, jobs } = await openJobs(t)
  let kept: Transaction | undefined
  await t.rejects(store.transact(async (tx) => {
    tx.put(jobs, ['a'], jobLike('a'))
    kept = tx
    await nextTurn()
  }), { code: 'invalid', message: /asynchronous/ })
  t.equal(jobs.count(), 0, 'what the asynchronous function wrote is undone')
  for (const use of [() => kept?.get(jobs, ['a']), () => kept?.put(jobs, ['a'], jobLike('a')),
    () => kept?.delete(jobs, ['a']), () => kept?.range(jobs)]) t.throws(use, { code: 'invalid' })
  await store.transact(() => {
    t.rejects(store.transact(() => undefined), { code: 'invalid' }).catch(t.threw)
  })
  await t.rejects(store.transact((tx) => tx.get({ name: 'jobs' } as Table<string>, ['a'])), { code: 'invalid' },
    'a table of something else')
  t.throws(() => store.table('unknown'), { code: 'invalid' })
})

t.test('ranges agree with a sorted list for any bounds', async (t) => {
  const { store } = await openJobs(t)
  const random = seededRandom(t)
  const table = store.table<number>('jobs')
  const elements: Array<string | number> = ['', 'a', 'a!', 'ab', 'b', 'é', '\u{1F600}', '\uFFFD', '__proto__', ' ',
    'z'.repeat(70), -1.5, 0, 1, 2, 10, 1_790_000_000_000, 2 ** 53, 0.1, -1e300]
  const anyKey = (): Key =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => elements[Math.floor(random() * elements.length)] ?? '')
  const keys = [
    ...new Map(Array.from({ length: 400 }, () => anyKey()).map((key) => [JSON.stringify(key), key])).values()
  ].toSorted(compareKeys)
  await store.transact((tx) =>
    keys.forEach((key, index) => {
      tx.put(table, key, index)
    })
  )
  for (let round = 0; round < 400; round++) {
    const bounds: RangeOptions = random() < 0.3
      ? { prefix: anyKey() }
      : { ...random() < 0.7 && { start: anyKey() }, ...random() < 0.7 && { end: anyKey() } }
    const options: RangeOptions = {
      ...bounds,
      ...random() < 0.5 && { reverse: true },
      ...random() < 0.3 && { limit: Math.floor(random() * 20) }
    }
    const expected = expectedRange(keys, options)
    const found = [...table.range(options)].map(({ key }) => key)
    if (JSON.stringify(found) !== JSON.stringify(expected)) t.same(found, expected, JSON.stringify(options))
    if (table.count(options) !== expected.length) {
      t.equal(table.count(options), expected.length, `count of ${JSON.stringify(options)}`)
    }
  }
  t.throws(() => [...table.range({ prefix: ['a'], start: ['a'] })], { code: 'invalid' })
  const [first] = table.range({ limit: 1 })
  t.same([first?.value, first?.revision], [0, 1])
})

t.test('a range is a snapshot, and may be left in the middle', async (t) => {
  const { store, jobs } = await openJobs(t)
  await store.transact((tx) => {
    for (let index = 0; index < 100; index++) tx.put(jobs, [index], jobLike(String(index)))
  })
  const seen: number[] = []
  for (const { key, value } of jobs.range()) {
    seen.push(Number(value.id))
    if (key[0] === 10) {
      await store.transact((tx) => {
        for (let index = 0; index < 100; index++) tx.delete(jobs, [index])
      })
    }
    if (key[0] === 50) break
  }
  t.equal(seen.length, 51)
  t.equal(jobs.count(), 0)
})

t.test('keys and values that would come back differently are refused', async (t) => {
  const { store, jobs } = await openJobs(t)
  const values = store.table<unknown>('jobs')
  const hostile = [[], ['a\0b'], ['a\nb'], ['\ud800'], ['x'.repeat(1900)], ['é'.repeat(950)],
    Array.from({ length: 200 }, () => 1), [NaN], [Infinity], [-0], [null], [undefined], [true], [{}], [['a']]] as Key[]
  for (const key of hostile) {
    t.throws(() => jobs.get(key), { code: 'invalid' }, JSON.stringify(key)?.slice(0, 40))
    await t.rejects(store.transact((tx) => tx.put(jobs, key, jobLike('x'))), { code: 'invalid' })
    await t.rejects(store.transact((tx) => tx.delete(jobs, key)), { code: 'invalid' })
  }
  for (const value of [undefined, new Date(), () => 1, Symbol('x'), { nested: [new Date()] }]) {
    await t.rejects(store.transact((tx) => tx.put(values, ['a'], value)), { code: 'invalid' })
  }
  t.equal(jobs.count(), 0)
  const key = ['x'.repeat(1880)]
  const value = {
    é: '\u{1F600}',
    ['__proto__']: { polluted: true },
    bytes: new Uint8Array([0, 255]),
    large: 2 ** 53 - 1,
    float: 0.1,
    none: null,
    left: undefined,
    list: [1, -1]
  }
  await store.transact((tx) => tx.put(values, key, value))
  const read = values.get(key)?.value as typeof value
  t.same({ ...read, bytes: [...read.bytes] }, {
    é: '\u{1F600}',
    ['__proto__']: { polluted: true },
    bytes: [0, 255],
    large: 2 ** 53 - 1,
    float: 0.1,
    none: null,
    list: [1, -1]
  })
  t.notOk('left' in read, 'an undefined property is left out')
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
  await store.transact((tx) => tx.put(values, ['big'], { text: 'x'.repeat(5_000_000) }))
  t.equal((values.get(['big'])?.value as { text: string }).text.length, 5_000_000, 'a value of 5 MB')
})

t.test('a folder is migrated once, step by step, and a newer one is refused', async (t) => {
  const path = join(t.testdir(), 'metadata')
  const reopen = async (
    migrations: MetadataOptions['migrations']
  ): Promise<{ value: unknown, store: MetadataStore }> => {
    const store = await openMetadata({ path, tables: ['jobs'], check: false, ...migrations && { migrations } })
    return { store, value: store.table<unknown>('jobs').get(['a'])?.value }
  }
  const first = await reopen(undefined)
  await first.store.transact((tx) => tx.put(first.store.table<unknown>('jobs'), ['a'], ['v1']))
  await first.store.close()

  const step = (version: number, readableBy?: number) => ({
    version,
    ...readableBy !== undefined && { readableBy },
    run: (tx: Transaction, table: <T>(name: string) => Table<T>) => {
      const jobs = table<string[]>('jobs')
      for (const { key, value } of tx.range(jobs)) tx.put(jobs, key, [...value, `v${version}`])
    }
  })
  const second = await reopen([step(2, 1), step(3)])
  t.same(second.value, ['v1', 'v2', 'v3'])
  await second.store.close()
  await t.rejects(reopen([step(2, 1)]), { code: 'newer', message: /schema version 3 and this program knows 2/ })
  const again = await reopen([step(2, 1), step(3), step(4, 3)])
  t.same(again.value, ['v1', 'v2', 'v3', 'v4'], 'earlier steps do not run twice')
  await again.store.close()
  const rolledBack = await reopen([step(2, 1), step(3)])
  t.same(rolledBack.value, ['v1', 'v2', 'v3', 'v4'], 'a release can be taken back when its step allows it')
  await rolledBack.store.close()
  await t.rejects(reopen([step(3)]), { code: 'invalid' }, 'a gap in the steps')
  const failing = {
    version: 5,
    run: (tx: Transaction, table: <T>(name: string) => Table<T>) => {
      tx.put(table('jobs'), ['a'], 'half')
      throw new Error('the step failed')
    }
  }
  await t.rejects(reopen([step(2, 1), step(3), step(4, 3), failing]), { message: 'the step failed' })
  const after = await reopen([step(2, 1), step(3), step(4, 3)])
  t.same(after.value, ['v1', 'v2', 'v3', 'v4'], 'a failing step changes nothing')
  await after.store.close()
})

t.test('a backup taken under writes is a state that was, and opens', async (t) => {
  const { path, store, jobs } = await openJobs(t)
  const outbox = store.table<number>('outbox')
  const written = { count: 0 }
  const stop = new AbortController()
  const writing = (async () => {
    while (!stop.signal.aborted) {
      await store.transact((tx) => {
        tx.put(jobs, [written.count], jobLike(String(written.count)))
        tx.put(outbox, [written.count], written.count)
      })
      written.count++
    }
  })()
  while (written.count < 20) await nextTurn()
  const folder = join(path, '..', 'deep', 'backup')
  const before = written.count
  await store.backup(folder)
  stop.abort()
  await writing
  await t.rejects(store.backup(folder), { code: 'invalid' }, 'a backup never replaces another')
  t.notOk(existsSync(`${folder}.partial`))
  writeFileSync(join(path, '..', 'file'), 'x')
  await t.rejects(store.backup(join(path, '..', 'file')), { code: 'invalid' })
  const copy = await openMetadata({ path: folder, tables: ['jobs', 'outbox'] })
  const count = copy.table('jobs').count()
  t.ok(count >= before && count <= written.count, `${count} records, between ${before} and ${written.count}`)
  t.equal(copy.table('outbox').count(), count, 'transactions are whole')
  t.same(copy.table<JobLike>('jobs').get([0])?.value, jobLike('0'))
  await copy.close()
})

t.test('a closed store refuses, and keeps what was acknowledged', async (t) => {
  const { path, store, jobs } = await openJobs(t)
  const pending = Array.from({ length: 20 },
    (_, index) => store.transact((tx) => tx.put(jobs, [index], jobLike(String(index)))))
  const walk = jobs.range()[Symbol.iterator]()
  await Promise.all(pending)
  await store.close()
  t.throws(() => jobs.get([1]), { code: 'unavailable' })
  t.throws(() => [...jobs.range()], { code: 'unavailable' })
  t.throws(() => walk.next(), { code: 'unavailable' })
  t.throws(() => store.releaseDeadReaders(), { code: 'unavailable' })
  await t.rejects(store.transact(() => undefined), { code: 'unavailable' })
  await t.rejects(store.backup(join(path, '..', 'backup')), { code: 'unavailable' })
  await store.close()
  const again = await openJobs(t, { path, check: false })
  t.equal(again.jobs.count(), 20)
})

function expectedRange (keys: readonly Key[], { prefix, start, end, reverse, limit }: RangeOptions): Key[] {
  const inside = keys.filter((key) =>
    prefix
      ? prefix.every((element, index) => key[index] === element)
      : (!start || compareKeys(key, start) >= 0) && (!end || compareKeys(key, end) < 0)
  )
  return (reverse ? inside.toReversed() : inside).slice(0, limit)
}

function compareKeys (a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    const order = compareElements(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareElements (a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
