import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { FileLockError, lockFile } from '../../src/engine/index.ts'

let path: string
t.before(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'lock-')), 'lock')
})
t.after(() => rm(join(path, '..'), { recursive: true, force: true }))

/** Another process that takes the lock through the same addon, says `locked`, and keeps it until it is killed. */
async function holder () {
  const addon = join(import.meta.dirname, '../../bindings/index.cjs')
  const script = `const reply = require(process.argv[1]).lockFile(process.argv[2], 'pid ' + process.pid)
    console.log(reply.lock ? 'locked' : reply.holder); globalThis.kept = reply.lock; setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script, addon, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data') as [Buffer]
  return { child, says: line.toString().trim() }
}

t.test("a second process is refused with the holder's text, and a killed holder leaves nothing behind", async t => {
  const first = await holder()
  t.equal(first.says, 'locked')
  t.throws(() => lockFile(path), { name: 'FileLockError', holder: `pid ${first.child.pid}` })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const lock = lockFile(path)
  t.match(readFileSync(path, 'utf8'), new RegExp(`^pid ${process.pid} on \\S+ since \\d{4}-\\d\\d-\\d\\dT`))
  t.throws(() => lockFile(path), FileLockError, 'the same process does not get it twice')
  const second = await holder()
  t.match(second.says, new RegExp(`^pid ${process.pid} `))
  second.child.kill('SIGKILL')
  await once(second.child, 'exit')

  lock.release()
  lock.release()
  lockFile(path).release()
})

t.test('a lock that cannot be made names the path', async t => {
  t.throws(() => lockFile('/nonexistent/folder/lock'), /\/nonexistent\/folder\/lock: No such file/)
})
