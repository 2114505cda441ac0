import t from 'tap'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync,
  writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { startScript } from '../../support/script.ts'
import { fillAndRecover } from '../../support/small-disk.ts'
import { watchFolders } from '../../support/watched-folders.ts'
import { keysOf, objectStoreConformance, refused } from './conformance.ts'

objectStoreConformance(t, 'local folder', async (_t, folder) => ({ driver: 'local', root: folder }))

t.test('a missing root is unavailable, and never an empty store or a new one', async (t) => {
  const folder = t.testdir()
  const root = join(folder, 'objects')
  const store = await openStore({ driver: 'local', root })
  await store.putBytes('t/j/input', Buffer.from('x'))
  renameSync(root, `${root}-away`)
  const source = join(folder, 'source')
  writeFileSync(source, 'x')
  await refused(t, 'unavailable', store.putBytes('t/j/input', Buffer.from('y')))
  await refused(t, 'unavailable', store.putFile('t/j/input', source, { move: true }))
  const last = { name: 'z', bytes: Buffer.from('y') }
  mkdirSync(join(folder, 'run'))
  await refused(t, 'unavailable', store.putFolder('t/j/', { path: join(folder, 'run'), names: [], last }))
  await refused(t, 'unavailable', store.getBytes('t/j/input', 10))
  await refused(t, 'unavailable', store.openRead('t/j/input'))
  await refused(t, 'unavailable', store.stat('t/j/input'))
  await refused(t, 'unavailable', keysOf(store, 't/'))
  await refused(t, 'unavailable', store.deleteKey('t/j/input'))
  await refused(t, 'unavailable', store.deletePrefix('t/'))
  await refused(t, 'unavailable', store.probe())
  await refused(t, 'unavailable', store.sweepUnfinished(0))
  t.equal(readFileSync(source, 'utf8'), 'x', 'the file to move is still there')
  t.notOk(existsSync(root))
  renameSync(`${root}-away`, root)
  t.same(await keysOf(store, ''), ['t/j/input'], 'it works again when the folder is back')
  await refused(t, 'unavailable', openStore({ driver: 'local', root: join(source, 'below') }), 'a root below a file')
})

t.test('a listing reads no folder whole, and opens none that is deeper than it is asked to go', async (t) => {
  const root = join(t.testdir(), 'objects')
  const store = await openStore({ driver: 'local', root })
  for (const key of ['acme/job_1/input', 'acme/job_1/run/result.cbor', 'raw/acme/2026/11/obj_1/a.csv']) {
    await store.putBytes(key, Buffer.from('x'))
  }
  const seen = watchFolders(t)
  t.same(await keysOf(store, '', { maxSegments: 3 }), ['acme/job_1/input'])
  t.same(seen.opened.map((path) => path.slice(root.length + 1)).sort(), ['', 'acme', 'acme/job_1', 'raw', 'raw/acme'])
  t.same(await keysOf(store, ''), ['acme/job_1/input', 'acme/job_1/run/result.cbor', 'raw/acme/2026/11/obj_1/a.csv'])
  t.same(seen.readWhole, [])
})

t.test("objects are read-only files, and deletions leave no empty folders but the tenant's", async (t) => {
  const root = join(t.testdir(), 'objects')
  const store = await openStore({ driver: 'local', root })
  await store.putBytes('acme/j1/run/forecast.csv', Buffer.from('x'))
  await store.putBytes('acme/j1/input', Buffer.from('x'))
  t.equal(statSync(join(root, 'acme/j1/input')).mode & 0o777, 0o444)
  t.equal(await store.deletePrefix('acme/j1/run/'), 1)
  t.same(readdirSync(join(root, 'acme/j1')), ['input'])
  await store.deleteKey('acme/j1/input')
  t.same(readdirSync(root).sort(), ['.tmp', 'acme'])
  t.same(readdirSync(join(root, 'acme')), [])
  await refused(t, 'invalid_key', (async () => {
    await store.putBytes('acme/x', Buffer.from('x'))
    await store.putBytes('acme/x/below', Buffer.from('x'))
  })(), 'a key below an object')
})

t.test('a shared file takes its bytes once, and nothing else is left of it', async (t) => {
  const root = t.testdir()
  const path = join(root, 'result')
  const store = await openStore({ driver: 'local', root: join(root, 'objects'), signingSecret: Buffer.alloc(32) })
  writeFileSync(path, 'x')
  for (let time = 0; time < 2; time++) await store.putFile('acme/j/a', path, { share: true })
  t.equal(statSync(join(root, 'objects', 'acme', 'j', 'a')).ino, statSync(path).ino)
  t.same(readdirSync(join(root, 'objects', '.tmp')), [])
})

t.test('a folder becomes objects without a copy; it is copied where objects are there already', async (t) => {
  const folder = t.testdir({ first: { a: 'a', 'left over': 'x' }, second: { a: 'b' } })
  const store = await openStore({ driver: 'local', root: join(folder, 'objects') })
  const put = async (name: string, last: string) =>
    await store.putFolder('acme/j/run/', {
      path: join(folder, name),
      names: ['a'],
      last: { name: last, bytes: Buffer.from(last) }
    })
  const { ino } = statSync(join(folder, 'first', 'a'))
  await put('first', 'y')
  t.equal(statSync(await store.pathOf('acme/j/run/a') ?? '').ino, ino)
  t.notOk(existsSync(join(folder, 'first')))
  await put('first', 'y')
  t.same(await keysOf(store, ''), ['acme/j/run/a', 'acme/j/run/y'], 'a repeated call finds it done')
  await refused(t, 'unavailable', put('first', 'z'), 'a folder that was never there')
  await put('second', 'z')
  t.same(await keysOf(store, ''), ['acme/j/run/a', 'acme/j/run/y', 'acme/j/run/z'])
  t.equal(readFileSync(join(folder, 'objects', 'acme', 'j', 'run', 'a'), 'utf8'), 'b')
  t.equal(statSync(join(folder, 'objects', 'acme', 'j', 'run', 'z')).mode & 0o777, 0o444)
  t.same(readdirSync(join(folder, 'objects', '.tmp')), [])
})

t.test('unfinished files of dead writers are swept by age', async (t) => {
  const root = join(t.testdir(), 'objects')
  const store = await openStore({ driver: 'local', root })
  for (const name of ['old', 'new']) writeFileSync(join(root, '.tmp', name), 'x')
  const hourAgo = Date.now() / 1000 - 3600
  utimesSync(join(root, '.tmp', 'old'), hourAgo, hourAgo)
  t.equal(await store.sweepUnfinished(1_800_000), 1)
  t.same(readdirSync(join(root, '.tmp')), ['new'])
  t.same(await keysOf(store, ''), [], 'they are not objects')
})

t.test("without the superuser's rights getToFile links, and the link is read-only", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-link-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const script = startScript(t, new URL('link-as-user.ts', import.meta.url), [folder])
  await script.printed('EACCES')
  t.equal(await script.ended, 0)
})

t.test('a full disk refuses the write, keeps what is there, and takes writes again when it has space', async (t) => {
  await fillAndRecover(t, new URL('fill-objects.ts', import.meta.url))
})
