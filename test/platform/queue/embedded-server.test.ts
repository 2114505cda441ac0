import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { findNatsServer, minimumVersion } from '../../../src/platform/queue/find-nats-server.ts'
import { connectQueue, startEmbeddedServer, type EmbeddedServer } from '../../../src/platform/queue/index.ts'
import { testStreams } from '../../support/nats.ts'
import { silentLog } from '../../support/silent-log.ts'
import { until } from '../../support/until.ts'

const setupScript = new URL('../../../scripts/setup-nats-server.mjs', import.meta.url)

async function temporaryFolder (t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-server-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A program that calls itself nats-server of some version. */
async function serverOfVersion (folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'nats-server')
  await writeFile(path, `#!/bin/sh\necho "nats-server: v${version}"\n`)
  await chmod(path, 0o755)
  return path
}

async function jobsCreated (server: EmbeddedServer): Promise<string> {
  const queue = connectQueue({ url: server.url, token: server.token, name: 'test', log: silentLog })
  await queue.ready(10_000)
  const info = await until('JetStream', () => queue.ensureStreams(testStreams).catch(() => undefined))
  await queue.close()
  return info.jobsCreated
}

function isAlive (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

await t.test('a server keeps its port, token and streams from start to start, in private files', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  const created = await jobsCreated(first)
  for (const name of ['server.json', 'nats-server.conf']) {
    t.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name)
  }
  t.match(await readFile(join(folder, 'nats-server.conf'), 'utf8'), 'sync_interval: always')
  t.notMatch(await readFile(`/proc/${first.pid}/cmdline`, 'utf8'), first.token)
  await first.stop()

  const second = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  t.teardown(() => second.stop())
  t.match(second, { url: first.url, token: first.token })
  t.equal(await jobsCreated(second), created)

  const killed = second.pid
  process.kill(killed!, 'SIGKILL')
  await until('another server', () => second.pid !== undefined && second.pid !== killed)
  t.equal(await jobsCreated(second), created)
})

await t.test('a server ends with the process that started it, and a leftover is replaced', async (t) => {
  const folder = await temporaryFolder(t)
  const script = `
    import { startEmbeddedServer } from ${
    JSON.stringify(new URL('../../../src/platform/queue/index.ts', import.meta.url).href)
  }
    const log = { debug () {}, info () {}, warn () {}, error () {} }
    const server = await startEmbeddedServer({ folder: ${JSON.stringify(folder)}, binary: '', log })
    process.stdout.write(String(server.pid))
    process.stdin.on('end', () => process.exit()).resume()
  `
  const startOther = async () => {
    const other = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit']
    })
    t.teardown(() => other.kill('SIGKILL'))
    const [pid] = await once(other.stdout, 'data') as [Buffer]
    return { other, pid: Number(pid) }
  }
  const { other, pid } = await startOther()
  t.equal(isAlive(pid), true)
  other.kill('SIGKILL')
  await until('the server to end', () => !isAlive(pid))

  const hanging = await startOther()
  // One that went on would start its server again, on the same folder.
  hanging.other.kill('SIGSTOP')
  const replacing = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  t.teardown(() => replacing.stop())
  const ended = once(hanging.other, 'exit')
  hanging.other.kill('SIGKILL')
  await ended
  await until('the leftover to end', () => !isAlive(hanging.pid))
  t.type(await jobsCreated(replacing), 'string')
})

await t.test('a taken port is given up for another one', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  await first.stop()
  const stranger = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  await once(stranger, 'listening')
  t.teardown(() => stranger.close())
  const second = await startEmbeddedServer({ folder, binary: '', log: silentLog })
  t.not(second.url, first.url)
  t.equal(second.token, first.token)
  await second.stop()
})

await t.test('a damaged state file stops the start instead of stranding the clients', async (t) => {
  const folder = await temporaryFolder(t)
  for (const text of ['{"port":', '{"port": 99999, "token": "a"}', '{"port": -5, "token": "a"}']) {
    await writeFile(join(folder, 'server.json'), text)
    await t.rejects(startEmbeddedServer({ folder, binary: '', log: silentLog }), { message: /server\.json is damaged/ },
      text)
  }
})

await t.test('a server that does not come up says why', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'nats-server.log'), { recursive: true })
  await t.rejects(startEmbeddedServer({ folder, binary: '', log: silentLog }), { message: /nats-server did not start/ })
})

await t.test('the binary', async (t) => {
  const folder = await temporaryFolder(t)

  await t.test('of Debian 12 is refused with the reason', async (t) => {
    const old = await serverOfVersion(join(folder, 'old'), '2.9.10')
    await t.rejects(findNatsServer(old), {
      name: 'NatsServerNotFound',
      message: /is nats-server 2\.9\.10; older than 2\.12\.0 loses acknowledgements/
    })
    await t.rejects(startEmbeddedServer({ folder, binary: old, log: silentLog }), { message: /2\.9\.10/ })
  })

  await t.test('is the named one, then that of NATS_SERVER', async (t) => {
    const newer = await serverOfVersion(join(folder, 'newer'), '3.0.1')
    const newest = await serverOfVersion(join(folder, 'newest'), '2.12.0')
    t.same(await findNatsServer(newer, { NATS_SERVER: newest }), { path: newer, version: '3.0.1' })
    t.same(await findNatsServer('', { NATS_SERVER: newest }), { path: newest, version: '2.12.0' })
    await t.rejects(findNatsServer(join(folder, 'nowhere')), { message: /does not run/ })
    await t.rejects(findNatsServer('/bin/true'), { message: /is not a nats-server/ })
  })

  await t.test('has the same lower bound in the setup script', async (t) => {
    const script = await readFile(setupScript, 'utf8')
    t.match(script, `const minimum = '${minimumVersion}'`)
  })

  await t.test('that is named and unusable stops the setup script', async (t) => {
    const run = async (binary: string) =>
      await promisify(execFile)(process.execPath, [fileURLToPath(setupScript)], { env: { NATS_SERVER: binary } })
    const old = await serverOfVersion(join(folder, 'setup-old'), '2.11.9')
    await t.rejects(run(old), { code: 1, stderr: /is 2\.11\.9; older than 2\.12\.0 loses acknowledgements/ })
    t.match((await run(await serverOfVersion(join(folder, 'setup-new'), '2.12.1'))).stdout,
      /2\.12\.1 from the environment/)
  })
})
