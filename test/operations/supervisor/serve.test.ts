import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findFreePort } from '../../../src/commands/demo/private-service.ts'
import { runTabcast } from '../../support/command.ts'
import { expectHealthy } from '../../support/leftovers.ts'
import { childrenOf, isRunning, signal } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

async function temporaryFolder (t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-serve-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

t.test('a second service on the same data folder names the first, and leaves it alone', async (t) => {
  const first = await startService()
  t.teardown(() => first.cleanup())
  const [supervisor] = first.pids('supervisor')
  const queue = first.pids('nats')
  const second = await runTabcast(['serve'], { TABCAST_DATA_DIR: join(first.folder, 'data'), TABCAST_PORT: '0' })
  t.equal(second.status, 78)
  t.match(second.stderr, new RegExp(`^tabcast: .* is locked by pid ${supervisor} on .*\n$`), 'that is all it says')
  t.strictSame(first.pids('nats'), queue, 'the queue server is the same')
  t.notMatch(first.log(), 'queue server died')
  await expectHealthy(t, first)
})

t.test('a port that another program listens on stops the start with the name of the setting', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { status, stderr } = await runTabcast(['serve'], {
    TABCAST_DATA_DIR: await temporaryFolder(t),
    TABCAST_PORT: String(port),
    TABCAST_LOG_LEVEL: 'silent'
  })
  t.equal(status, 78)
  t.equal(stderr, `tabcast: TABCAST_PORT=${port}: another program listens on port ${port} of 127.0.0.1\n`)
})

t.test("an address that is not the machine's stops the start with the name of the setting", async (t) => {
  // Of a block that is kept for documentation, so no machine has it.
  const { status, stderr } = await runTabcast(['serve'], {
    TABCAST_DATA_DIR: await temporaryFolder(t),
    TABCAST_PORT: '0',
    TABCAST_HOST: '192.0.2.1'
  })
  t.equal(status, 78)
  t.match(stderr, /TABCAST_HOST=192\.0\.2\.1/)
})

t.test('the service ends with the npx that started it', async (t) => {
  const settings = { TABCAST_DATA_DIR: await temporaryFolder(t), TABCAST_PORT: '0', TABCAST_LOG_LEVEL: 'silent' }
  // What npx does: a shell between it and the command, which is all that gets a signal. The colon keeps it there.
  const launcher = spawn('/bin/sh', ['-c', '"$0" dist/cli.js serve; :', process.execPath], {
    env: { ...process.env, ...settings, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = await once(launcher.stdout, 'data') as [Buffer]
  t.match(line.toString(), /^tabcast serves (http:\/\/127\.0\.0\.1:\d+), its documentation is at \1\/docs\n/)
  const [supervisor] = childrenOf(launcher.pid as number)
  t.ok(supervisor, 'it runs below the shell')
  t.teardown(() => signal(supervisor!.pid, 'SIGTERM'))
  const parts = childrenOf(supervisor!.pid)
  t.ok(parts.length >= 3, 'queue, api and worker run')
  launcher.kill('SIGTERM')
  await until('everything has ended', () => [supervisor!, ...parts].every(({ pid }) => !isRunning(pid)))
})

t.test('a log that cannot be written is lost, and the service answers', async (t) => {
  const port = await findFreePort()
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env: {
      ...process.env,
      TABCAST_DATA_DIR: await temporaryFolder(t),
      TABCAST_PORT: String(port),
      TABCAST_LOG_LEVEL: 'trace'
    },
    stdio: ['ignore', full, full]
  })
  closeSync(full)
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await until('it serves', async () => await fetch(`http://127.0.0.1:${port}/livez`).then(({ ok }) => ok, () => false))
  for (const path of ['/nowhere', '/jobs/job_1', '/livez']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    t.match(headers.get('x-request-id'), /^req_/, path)
  }
  t.equal(child.exitCode, null)
})
