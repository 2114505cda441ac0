import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { holdDataFolder } from '../../src/commands/data-folder.ts'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { lockFile } from '../../src/engine/index.ts'
import { dataPaths, loadConfig } from '../../src/platform/config.ts'
import { serveKeySocket } from '../../src/services/keys/key-socket.ts'
import { launcher, runTabcast } from '../support/command.ts'
import { childrenOf } from '../support/processes.ts'
import { silentLog } from '../support/silent-log.ts'
import { until } from '../support/until.ts'

/* Commands that come while an api is starting, and an api that starts while a command is at work. */

async function openFolder (t: Test): Promise<{ folder: string, env: { TABCAST_DATA_DIR: string } }> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-keys-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return { folder, env: { TABCAST_DATA_DIR: join(folder, 'data') } }
}

t.test('only a new key makes the data folder that it is kept in', async (t) => {
  const { env } = await openFolder(t)
  for (const args of [['list'], ['rotate', 'abcd1234'], ['revoke', 'abcd1234']]) {
    const { status, stderr } = await runTabcast(['keys', ...args], env)
    t.equal(status, 1)
    t.match(stderr, `${env.TABCAST_DATA_DIR}: there is no such folder`)
    t.notOk(existsSync(env.TABCAST_DATA_DIR))
  }
})

/** Past the first look at a socket that is not there yet, but far from the end of the patience with it. */
const whileMs = 1_500

t.test('a command waits for an api that holds the data folder and does not answer yet', async (t) => {
  const { env } = await openFolder(t)
  const config = loadConfig(env)
  const starting = await holdDataFolder(config)
  t.teardown(() => starting.release())
  const command = runTabcast(['keys', 'create', '--tenant', 'acme'], env)
  await sleep(whileMs)
  const socket = await serveKeySocket(dataPaths(config).socket, starting.keys, silentLog)
  t.teardown(() => socket.close())
  const { status, last, stderr } = await command
  t.equal(status, 0, stderr)
  t.match(starting.keys.list(), [{ tenant: 'acme', id: last.split('_')[2] }])
})

t.test('a command gives up on an api that never answers, and says what it waited for', async (t) => {
  const { env } = await openFolder(t)
  mkdirSync(env.TABCAST_DATA_DIR)
  const lock = lockFile(dataPaths(loadConfig(env)).lock)
  t.teardown(() => lock.release())
  const { status, stderr } = await runTabcast(['keys', 'list'], env)
  t.equal(status, 1)
  for (const text of [`is locked by pid ${process.pid} `, /starting or stopping/]) t.match(stderr, text)
})

t.test('an api waits for a command that has the data folder', async (t) => {
  const { folder, env } = await openFolder(t)
  mkdirSync(env.TABCAST_DATA_DIR)
  const lock = lockFile(dataPaths(loadConfig(env)).lock)
  const starting = startPrivateService({ folder, command: 'dist/cli.js', launcher })
  await until('the api starts',
    () => childrenOf(process.pid).flatMap(({ pid }) => childrenOf(pid)).some(({ command }) => command.endsWith(' api')))
  await sleep(whileMs)
  lock.release()
  const service = await starting
  await service.stop()
})

t.test('help is given where it is asked for', async (t) => {
  for (const args of [['keys', '--help'], ['keys', 'create', '-h'], ['serve', '--help'], ['-h']]) {
    const { status, stdout, stderr } = await runTabcast(args)
    t.match({ status, stderr }, { status: 0, stderr: '' }, args.join(' '))
    t.match(stdout, 'tabcast keys create (--tenant NAME', args.join(' '))
  }
})
