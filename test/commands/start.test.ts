import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync,
  writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { holdDataFolder } from '../../src/commands/data-folder.ts'
import { migrations, recordTables } from '../../src/commands/record-tables.ts'
import { lockFile } from '../../src/engine/file-lock.ts'
import { ConfigError, dataPaths, loadConfig } from '../../src/platform/config.ts'
import type { MetadataOptions } from '../../src/platform/metadata/metadata-store.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import type { KeyRecord } from '../../src/services/keys/key-record.ts'
import { runTabcast } from '../support/command.ts'
import '../support/plain-children.ts'

/*
 * A data folder that the service must not, or cannot, work with stops the start, with an exit code that tells a
 * supervisor not to try again.
 */

interface Sample {
  folder: string
  config: ReturnType<typeof loadConfig>
  paths: ReturnType<typeof dataPaths>
}

/** A data folder with a key in its records. */
async function sampleFolder (t: Test): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-start-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ TABCAST_DATA_DIR: join(folder, 'data') })
  const held = await holdDataFolder(config)
  await held.keys.create({ tenant: 'acme' })
  await held.release()
  return { folder, config, paths: dataPaths(config) }
}

/** What an api would end with, in this process. */
async function refusal ({ config }: Sample): Promise<Error> {
  const held = await holdDataFolder(config).catch((error: Error) => error)
  if (held instanceof Error) return held
  await held.release()
  throw new Error('the folder was taken')
}

async function exitsWith78 (t: Test, { config }: Sample, texts: RegExp[], role = 'api',
  env: Record<string, string> = {}): Promise<void> {
  const { status, stderr, stdout } = await runTabcast([role], {
    TABCAST_DATA_DIR: config.DATA_DIR,
    TABCAST_PORT: '0',
    TABCAST_LOG_LEVEL: 'silent',
    ...env
  })
  t.equal(status, 78, stderr + stdout)
  for (const text of texts) t.match(stderr, text)
}

t.test('crash matrix 20: records that are damaged stop the start, which names the command that restores them', async (t) => {
  const sample = await sampleFolder(t)
  const { paths } = sample
  const file = join(paths.metadata, 'data.mdb')
  const sound = readFileSync(file)
  const remedy = /damaged .*tabcast restore FOLDER --force/
  truncateSync(file, sound.length / 2)
  await exitsWith78(t, sample, [new RegExp(paths.metadata), remedy])
  const at = sound.lastIndexOf('acme')
  t.ok(at > 0, 'the tenant of the key is found in the file')
  const flipped = Buffer.from(sound)
  flipped[at]! ^= 1
  for (const [name, bytes] of [['a flipped bit', flipped], ['zeros', Buffer.alloc(sound.length)], ['text',
    Buffer.from('not a database\n'.repeat(2000))]] as const) {
    writeFileSync(file, bytes)
    t.match(await refusal(sample), { name: 'MetadataError', code: 'damaged', message: remedy }, name)
  }
  writeFileSync(file, sound)
  await (await holdDataFolder(sample.config)).release()
})

t.test('records of a newer schema are refused, those of the one before are brought up to date, and a release can be ' +
  'taken back where its step allows', async (t) => {
  const sample = await sampleFolder(t)
  const { paths } = sample
  const open = async (steps: NonNullable<MetadataOptions['migrations']>) =>
    await openMetadata({ path: paths.metadata, tables: recordTables, migrations: steps })
  const next = migrations.length + 2
  const named = (store: Awaited<ReturnType<typeof open>>) =>
    [...store.table<KeyRecord>('keys').range()].map(({ value }) => value.name)
  const step = (version: number, readableBy?: number) => ({
    version,
    ...(readableBy === undefined ? {} : { readableBy }),
    run: (tx: Parameters<NonNullable<MetadataOptions['migrations']>[number]['run']>[0],
      table: Parameters<NonNullable<MetadataOptions['migrations']>[number]['run']>[1]) => {
      const keys = table<KeyRecord>('keys')
      for (const { key, value } of tx.range(keys)) tx.put(keys, key, { ...value, name: `brought to ${version}` })
    }
  })
  const upgraded = await open([...migrations, step(next, next - 1)])
  t.strictSame(named(upgraded), [`brought to ${next}`], 'the release after this one opens what this one wrote')
  await upgraded.close()
  const held = await holdDataFolder(sample.config)
  t.strictSame(named(held.metadata), [`brought to ${next}`], 'and this one opens what that one wrote')
  await held.release()

  const newer = await open([...migrations, step(next, next - 1), step(next + 1)])
  await newer.close()
  await exitsWith78(t, sample, [
    new RegExp(
      `${paths.metadata}: the metadata has schema version ${next + 1} and this program knows ${
        next - 1
      }; start the newer release, or .*tabcast restore`
    )
  ])
})

t.test('a keyring or secrets that cannot be used stop the start, and so does a folder that another process has', async (t) => {
  const sample = await sampleFolder(t)
  const { paths } = sample
  const good = readFileSync(paths.keyring, 'utf8')
  const faults: Array<[string, RegExp]> = [['{', /not JSON/], ['{"active": "k-1", "keys": {}}',
    /active names no key of the file/], ['{"active": "a", "keys": {"a": "c2hvcnQ="}}', /32 bytes in base64/]]
  for (const [content, text] of faults) {
    writeFileSync(paths.keyring, content)
    const error = await refusal(sample)
    t.type(error, ConfigError)
    t.match(error.message, text)
    t.match(error.message, /^TABCAST_KEYRING_FILE: .*keyring\.json.*put a copy of it back/)
  }
  await exitsWith78(t, sample, [/TABCAST_KEYRING_FILE: .*keyring\.json: key a must be 32 bytes/])
  writeFileSync(paths.keyring, good)
  chmodSync(paths.keyring, 0o640)
  t.match(await refusal(sample), { name: 'ConfigError', message: /readable by others than its owner; chmod 600 it/ })
  chmodSync(paths.keyring, 0o600)
  t.match(
    await refusal({
      ...sample,
      config: loadConfig({ TABCAST_DATA_DIR: sample.config.DATA_DIR, TABCAST_KEYRING_FILE: sample.folder })
    }),
    { name: 'ConfigError', message: /TABCAST_KEYRING_FILE: .*EISDIR/ }
  )

  const secrets = readFileSync(paths.secrets, 'utf8')
  writeFileSync(paths.secrets, '{"v": 1}')
  t.match(await refusal(sample), { name: 'SecretsError', message: /pepper must be 32 bytes/ })
  writeFileSync(paths.secrets, secrets)
  const lock = lockFile(paths.lock)
  await exitsWith78(t, sample, [new RegExp(`${paths.lock} is locked by pid ${process.pid} on `)])
  lock.release()
})

t.test('without the secrets of its keys or the keyring of its records, a service does not start, and says how it ' +
  'does', async (t) => {
  const sample = await sampleFolder(t)
  const { config, paths } = sample
  const env = { TABCAST_DATA_DIR: config.DATA_DIR }
  const secrets = readFileSync(paths.secrets)
  rmSync(paths.secrets)
  const lost = /secrets\.json is missing.*1 on record.*every backup has one.*tabcast keys revoke --all/
  await exitsWith78(t, sample, [lost])
  t.match(await runTabcast(['doctor'], env), { status: 1, stdout: lost })
  t.match(await runTabcast(['keys', 'create', '--tenant', 'acme'], env), { status: 78, stderr: lost })
  t.notOk(existsSync(paths.secrets), 'nothing was made in its place')
  writeFileSync(paths.secrets, secrets, { mode: 0o600 })
  await (await holdDataFolder(config)).release()
  rmSync(paths.secrets)
  t.match(await runTabcast(['keys', 'revoke', '--all'], env), { status: 0, stdout: /^key \w+ is revoked\n$/ })
  t.notOk(existsSync(paths.secrets))
  await (await holdDataFolder(config)).release()
  t.ok(existsSync(paths.secrets), 'a service without keys has new ones')

  rmSync(paths.keyring)
  const held = await holdDataFolder(config)
  t.ok(existsSync(paths.keyring), 'while nothing is sealed, a keyring is made')
  const sealed = held.vault.seal('secret', ['acme', 'webhook'])
  await held.metadata.transact((tx) =>
    tx.put(held.metadata.table('webhookSecrets'), ['acme'], {
      v: 1,
      tenant: 'acme',
      secret: sealed,
      previous: [],
      createdAtMs: 1
    })
  )
  await held.release()
  rmSync(paths.keyring)
  await exitsWith78(t, sample, [/TABCAST_KEYRING_FILE: .*keyring\.json is missing.*key k-.*tabcast vault create/])
  t.notOk(existsSync(paths.keyring))
  const elsewhere = join(sample.folder, 'mistyped', 'keyring.json')
  await exitsWith78(t, sample, [new RegExp(`TABCAST_KEYRING_FILE: ${elsewhere} is missing`)], 'api', {
    TABCAST_KEYRING_FILE: elsewhere
  })
  t.match(await runTabcast(['vault', 'create'], env), { status: 0, stdout: /a new keyring/ })
  t.match(await runTabcast(['vault', 'create'], env), { status: 78, stderr: /exists; nothing was changed/ })
  await (await holdDataFolder(config)).release()
})

t.test("a folder of the queue that is not this service's stops the start, and says that it may be moved away", async (t) => {
  const sample = await sampleFolder(t)
  const { paths } = sample
  const remedy = [/TABCAST_DATA_DIR=/, /move it away and start again/]
  mkdirSync(paths.queue)
  writeFileSync(join(paths.queue, 'server.json'), '{"port": "many"}')
  await exitsWith78(t, sample, [/server\.json is damaged/, ...remedy], 'serve')
  rmSync(join(paths.queue, 'server.json'))
  writeFileSync(join(paths.queue, 'streams'), 'of another program')
  await exitsWith78(t, sample, [/nats-server did not start/, ...remedy], 'serve')
  rmSync(paths.queue, { recursive: true })
  writeFileSync(paths.queue, '')
  await exitsWith78(t, sample, [/EEXIST/, ...remedy], 'serve')
  rmSync(paths.queue)
  await exitsWith78(t, sample, [/TABCAST_NATS_SERVER=\/bin\/false: \/bin\/false does not run/], 'serve', {
    TABCAST_NATS_SERVER: '/bin/false'
  })
})

t.test('files of another user stop the start', {
  skip: process.getuid?.() === 0 && existsSync('/usr/bin/setpriv') ? false : 'needs the superuser and setpriv'
}, async (t) => {
  const { folder, config, paths } = await sampleFolder(t)
  const nobody = 65534
  for (const path of [folder, config.DATA_DIR, paths.lock, paths.secrets, paths.keyring, paths.metadata]) {
    chownSync(path, nobody, nobody)
  }
  for (const path of [folder, config.DATA_DIR]) chmodSync(path, 0o700)
  chmodSync(join(paths.metadata, 'data.mdb'), 0o600)
  const refused = async (env: Record<string, string> = {}) =>
    await new Promise<string>((resolve, reject) => {
      try {
        execFileSync('/usr/bin/setpriv', ['--reuid', String(nobody), '--regid', String(nobody), '--clear-groups',
          '/usr/bin/env', '-u', 'NODE_OPTIONS', process.execPath, 'dist/cli.js', 'api'], {
          env: { ...process.env, TABCAST_DATA_DIR: config.DATA_DIR, TABCAST_PORT: '0', ...env },
          stdio: 'pipe'
        })
        reject(new Error('it started'))
      } catch (error) {
        const { status, stderr } = error as { status: number, stderr: Buffer }
        t.equal(status, 78, String(stderr))
        resolve(String(stderr))
      }
    })
  t.match(await refused(),
    /TABCAST_DATA_DIR=.*everything in this folder has to belong to the user that runs the service/)
  execFileSync('chown', ['-R', String(nobody), config.DATA_DIR])
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  t.match(await refused({ TABCAST_KEYRING_FILE: join(closed, 'keyring.json') }),
    new RegExp(`TABCAST_KEYRING_FILE=${closed}/keyring.json: .*EACCES.* write to ${closed}$`, 'm'))
  chownSync(config.DATA_DIR, 0, 0)
  t.match(await refused(), /TABCAST_DATA_DIR=.*EACCES/)
})

t.test('a disk that cannot be written stops the start', async (t) => {
  const sample = await sampleFolder(t)
  const disk = join(sample.folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    t.comment(`not tried: ${(error as Error).message}`)
    return
  }
  t.teardown(() => execFileSync('umount', ['--lazy', disk]))
  cpSync(sample.config.DATA_DIR, join(disk, 'data'), { recursive: true })
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const config = loadConfig({ TABCAST_DATA_DIR: join(disk, 'data') })
  for (const role of ['api', 'serve']) {
    await exitsWith78(t, { ...sample, config }, [
      /TABCAST_DATA_DIR=.*must be a folder that can be made and written to: EROFS/
    ], role)
  }
  t.ok(statSync(join(disk, 'data', 'secrets.json')).isFile())
})

t.test('LISTEN_FDS without a socket stops the start', async (t) => {
  const sample = await sampleFolder(t)
  await exitsWith78(t, sample, [/LISTEN_FDS=1: file descriptor 3 is no socket that listens/], 'api', {
    LISTEN_FDS: '1',
    TABCAST_NATS_URL: 'nats://127.0.0.1:1'
  })
})
