import t, { type Test } from 'tap'
import { cpSync, existsSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkMetadata } from '../../../src/platform/metadata/check-metadata.ts'
import { MetadataError } from '../../../src/platform/metadata/metadata-error.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { seededRandom } from '../../support/random.ts'
import { startScript } from '../../support/script.ts'
import { fillAndRecover } from '../../support/small-disk.ts'
import { jobLike, type JobLike } from './job-like.ts'

t.test('a full disk refuses commits, keeps what is there, and takes commits again when it has space', async (t) => {
  const { kind, lines } = await fillAndRecover(t, new URL('fill-records.ts', import.meta.url))
  const refusals = [...new Set(lines.filter((line) => line.startsWith('refused')))]
  // A write that a file size limit cuts short is an I/O error to LMDB, and the file system has space.
  t.ok(
    refusals.every((line) =>
      line === 'refused: no_space' || (kind === 'file size limit' && line === 'refused: unavailable')
    ),
    `${kind}: ${refusals}`
  )
})

t.test('a flipped bit is found, and never served as a record', async (t) => {
  const random = seededRandom(t)
  const { path, records } = await sampleFolder(t)
  const bad = join(path, '..', 'bad')
  const sound = readFileSync(join(path, 'data.mdb'))
  const target = sound.indexOf('found by its text')
  t.ok(target > 0)
  await flip(path, bad, target, 3)
  await t.rejects(openMetadata({ path: bad, tables: ['jobs'] }), {
    code: 'damaged',
    message: /jobs.*\["acme","needle"\].*backup/
  })
  const unchecked = await openMetadata({ path: bad, tables: ['jobs'], check: false })
  const jobs = unchecked.table<JobLike>('jobs')
  t.throws(() => jobs.get(['acme', 'needle']), { code: 'corrupt', message: /jobs.*\["acme","needle"\]/ })
  t.throws(() => [...jobs.range()].map(({ value }) => value), { code: 'corrupt' })
  t.same(jobs.get(['acme', 'j1'])?.value, jobLike('j1'), 'the other records stay readable')
  t.equal(await unchecked.transact((tx) => tx.delete(jobs, ['acme', 'needle'])), true,
    'a corrupt record can be deleted')
  t.equal([...jobs.range()].map(({ value }) => value).length, records.size - 1)
  await unchecked.close()

  let found = 0
  for (let round = 0; round < 4; round++) {
    await flip(path, bad, Math.floor(random() * sound.length), Math.floor(random() * 8))
    const verdict = await checkMetadata(bad).then(() => 'sound', (error: unknown) => (error as MetadataError).code)
    if (verdict === 'damaged') {
      found++
      continue
    }
    // The bit was in a page without records: then every record must be as it was.
    const store = await openMetadata({ path: bad, tables: ['jobs'], check: false })
    const now = new Map([...store.table<JobLike>('jobs').range()].map(({ key, value }) => [JSON.stringify(key), value]))
    t.same(now, records)
    await store.close()
  }
  t.comment(`${found} of 4 random bits were in records`)
})

t.test('a folder that is as it was closed is not read again, and one that is not is', async (t) => {
  const { path } = await sampleFolder(t)
  const mark = join(path, 'closed.json')
  const file = join(path, 'data.mdb')
  t.ok(existsSync(mark), 'closed in good order')
  const sound = readFileSync(file)
  const { atime, mtime } = statSync(file)
  // A bit that the file system does not tell of: found where the record is read.
  const target = sound.indexOf('found by its text')
  const flipped = Buffer.from(sound)
  flipped[target] = (flipped[target] as number) ^ 4
  const open = async () => await openMetadata({ path, tables: ['jobs'] })
  const writeInPlace = (bytes: Buffer) => {
    writeFileSync(file, bytes, { flag: 'r+' })
    utimesSync(file, atime, mtime)
  }
  writeInPlace(flipped)
  writeFileSync(mark, JSON.stringify(
    [statSync(file, { bigint: true })].map(({ ino, size, mtimeNs }) => [ino, size, mtimeNs].map(String))[0]
  ))
  const store = await open()
  t.notOk(existsSync(mark), 'taken away while it is open, so that a crash leaves none')
  t.throws(() => store.table<JobLike>('jobs').get(['acme', 'needle']), { code: 'corrupt' })
  await store.close()
  writeFileSync(mark, '["1","2","3"]')
  await t.rejects(open(), { code: 'damaged' }, 'the mark of another file')
  await t.rejects(open(), { code: 'damaged' }, 'no mark')
  writeInPlace(sound)
  await (await openMetadata({ path, tables: ['jobs'], check: false })).close()
  t.notOk(existsSync(mark), 'who has not looked does not vouch for it')
  await (await open()).close()
  t.ok(existsSync(mark))
})

t.test('a truncated, overwritten or foreign file is refused with what to do about it', async (t) => {
  const { path } = await sampleFolder(t)
  const bad = join(path, '..', 'bad')
  const file = join(bad, 'data.mdb')
  const size = statSync(join(path, 'data.mdb')).size
  const refused = { code: 'damaged', message: /Stop the service, move this folder away and put a backup in its place/ }
  const faults: Array<[string, () => void]> = [
    ['half', () => truncateSync(file, size / 2)],
    ['100 bytes', () => truncateSync(file, 100)],
    ['zeros', () => writeFileSync(file, Buffer.alloc(size))],
    ['text', () => writeFileSync(file, 'this is not a database\n'.repeat(1000))]
  ]
  for (const [name, fault] of faults) {
    cpSync(path, bad, { recursive: true })
    fault()
    await t.rejects(openMetadata({ path: bad, tables: ['jobs'] }), refused, name)
  }
  await t.rejects(openMetadata({ path: join(file, 'below'), tables: [] }), { code: 'unavailable' },
    'a folder below a file')
})

t.test('a reader that died keeps no pages, so that the file does not grow', async (t) => {
  const path = join(t.testdir(), 'metadata')
  const store = await openMetadata({ path, tables: ['jobs'] })
  t.teardown(() => store.close())
  const jobs = store.table<JobLike>('jobs')
  const rewrite = async (times: number) => {
    for (let round = 0; round < times; round++) {
      await store.transact((tx) => tx.put(jobs, ['a'], jobLike('a', round, 100_000)))
    }
    return statSync(join(path, 'data.mdb')).size
  }
  const before = await rewrite(30)
  const reader = startScript(t, new URL('hold-reader.ts', import.meta.url), [path])
  await reader.printed('holding')
  t.equal(store.releaseDeadReaders(), 0, 'a living reader keeps its slot')
  await reader.kill()
  const held = await rewrite(30)
  t.ok(held > before + 1_000_000, `the dead reader held old pages: ${before} -> ${held} bytes`)
  t.equal(store.releaseDeadReaders(), 1)
  const after = await rewrite(60)
  t.equal(after, held, 'freed pages are used again')
})

async function sampleFolder (t: Test): Promise<{ path: string, records: Map<string, JobLike> }> {
  const path = join(t.testdir(), 'metadata')
  const store = await openMetadata({ path, tables: ['jobs'] })
  const jobs = store.table<JobLike>('jobs')
  await store.transact((tx) => {
    for (let index = 0; index < 300; index++) tx.put(jobs, ['acme', `j${index}`], jobLike(`j${index}`))
    tx.put(jobs, ['acme', 'needle'], { ...jobLike('x'), note: 'this is the needle, found by its text' })
  })
  const records = new Map([...jobs.range()].map(({ key, value }) => [JSON.stringify(key), value]))
  await store.close()
  return { path, records }
}

async function flip (from: string, to: string, at: number, bit: number): Promise<void> {
  cpSync(from, to, { recursive: true })
  const bytes = readFileSync(join(from, 'data.mdb'))
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(join(to, 'data.mdb'), bytes)
}
