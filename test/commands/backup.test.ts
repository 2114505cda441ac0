import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync,
  symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { runRestoreCommand } from '../../src/commands/restore.ts'
import type { Manifest, ObjectEntry } from '../../src/operations/backup/manifest.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { callAdminSocketIfThere } from '../../src/services/keys/key-administration.ts'
import { launcher, runTabcast, type Ended } from '../support/command.ts'
import { holdSlot, oneSlot } from '../support/long-job.ts'
import '../support/plain-children.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * A backup of a service under load, what it is restored to, and what is refused. The second half works on the backup
 * of the first.
 */

const kept = await mkdtemp(join(tmpdir(), 'tabcast-backup-'))
t.teardown(() => rm(kept, { recursive: true, force: true }))
const backup = join(kept, 'backup')
// Its folder is made by the backup.
const keyring = join(kept, 'keyrings', 'monday.json')
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
const objectsOf = (folder: string) =>
  readFileSync(join(folder, 'objects.jsonl'), 'utf8').trimEnd().split('\n').map((line) =>
    JSON.parse(line) as ObjectEntry
  )

t.test('a backup under load, restored into a fresh folder, has every job that was acknowledged before it began', async (t) => {
  const first = await startService(oneSlot)
  t.teardown(() => first.cleanup())
  const key = await first.createKey('acme')
  const client = new Client(first.baseUrl, key)
  const tables = new Map<string, string>()
  for (let seed = 0; seed < 4; seed++) {
    const { job_id: jobId } = await client.submitted(panelCsv(2, 40, { seed }), { prediction_length: '3' })
    t.equal((await client.ended(jobId)).status, 'completed')
    tables.set(jobId, await client.table(jobId))
  }
  const held = await holdSlot(t, client)
  const acknowledged = [...tables.keys(), held.job_id]
  const stop = new AbortController()
  const load = Promise.all([1, 2, 3].map(async (lane) => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      // The saved answer is sealed, so that the keyring is needed.
      const answer = await client.submit(panelCsv(2, 40, { seed: 100 * lane + turn }), { prediction_length: '3' },
        'data.csv', { 'idempotency-key': `lane-${lane}-turn-${turn}` })
      t.equal(answer.status, 202)
      acknowledged.push(((await answer.json()) as { job_id: string }).job_id)
    }
  }))
  await until('some jobs wait', () => acknowledged.length >= 15)
  const before = [...acknowledged]
  const made = await runTabcast(['backup', '--out', backup, '--keyring', keyring], {
    TABCAST_DATA_DIR: join(first.folder, 'data')
  })
  stop.abort()
  await load
  t.match(made, { status: 0, stderr: '', stdout: /\d+ records \(\d+ jobs\)/ })
  t.comment(`${acknowledged.length - before.length} jobs were acknowledged during the backup`)
  t.ok(acknowledged.length > before.length, 'submissions went on meanwhile')

  const manifest = manifestOf(backup)
  t.match(manifest, { format: 1, schema: 1, objects: { gone: 0, damaged: 0, listed: 0 }, keyring_ids: [/^k-/] })
  t.ok((manifest.records['jobs'] ?? 0) >= before.length)
  t.notOk(existsSync(join(backup, 'keyring.json')), 'the keyring is kept apart')
  for (const name of readdirSync(backup)) t.equal(statSync(join(backup, name)).mode & 0o077, 0, name)
  for (const path of [keyring, join(backup, 'metadata', 'data.mdb')]) t.equal(statSync(path).mode & 0o777, 0o600, path)
  const [object] = objectsOf(backup)
  t.equal(statSync(dirname(keyring)).mode & 0o777, 0o700)
  t.equal(statSync(join(backup, 'objects', object!.key)).ino,
    statSync(join(first.folder, 'data', 'objects', object!.key)).ino, 'objects of one file system are linked')
  t.equal((await client.request('DELETE', `/jobs/${held.job_id}`)).status, 204)

  // A unit or a container shows its service fewer places than the command sees.
  const unseen = join(kept, 'unseen')
  const refused = await callAdminSocketIfThere(join(first.folder, 'data', 'admin.sock'), 'POST', '/backup', {
    metadata: join(unseen, 'metadata')
  })
    .then(() => 'taken', (error: Error) => error.message)
  t.match(refused,
    /^--out: the process that copies the records \(user \d+\) cannot write to .*unseen \(ENOENT.*ReadWritePaths= of its unit or a volume of its container/)

  const folder = join(kept, 'restored')
  const restored = await runTabcast(['restore', backup, '--keyring', keyring], {
    TABCAST_DATA_DIR: join(folder, 'data')
  })
  t.match(restored, {
    status: 0,
    stderr: '',
    stdout: new RegExp(`lost records 0 of \\d+[^]*jobs: ${tables.size} completed, 0 failed, \\d+ open`)
  })
  t.notOk(existsSync(join(folder, 'data', 'nats')), 'the queue has nothing')
  const second = await startPrivateService({
    folder,
    command: 'dist/cli.js',
    launcher,
    settings: { ...oneSlot, TABCAST_LOG_LEVEL: 'info' }
  })
  t.teardown(() => second.stop())
  const again = new Client(second.baseUrl, key)
  await until('the job that ran at the time of the backup runs again',
    async () => (await again.job(held.job_id)).status === 'running')
  t.equal((await again.request('DELETE', `/jobs/${held.job_id}`)).status, 204)
  const rest = before.filter((jobId) => jobId !== held.job_id)
  let completed = 0
  let equal = 0
  for (const jobId of rest) if ((await again.ended(jobId)).status === 'completed') completed++
  for (const [jobId, table] of tables) if (await again.table(jobId) === table) equal++
  const text =
    `lost records 0: of ${before.length} jobs acknowledged before the backup, ${completed} completed and 1 ran ` +
    `again; ${equal} of ${tables.size} earlier results have the same bytes`
  t.equal(completed, rest.length, text)
  t.equal(equal, tables.size, text)
})

async function restore (name: string, args: string[] = ['--keyring', keyring], from = backup,
  env: Record<string, string> = {}): Promise<Ended & { data: string }> {
  const data = join(kept, name)
  return { ...await runTabcast(['restore', from, ...args], { TABCAST_DATA_DIR: data, ...env }), data }
}

function altered (t: Test, name: string, change: (folder: string) => void): string {
  const folder = join(kept, name)
  cpSync(backup, folder, { recursive: true })
  t.teardown(() => rmSync(folder, { recursive: true }))
  change(folder)
  return folder
}

t.test('a backup that is not whole, or that this release cannot read, is refused before anything is in place', async (t) => {
  const flip = (path: string) => {
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    rmSync(path)
    writeFileSync(path, bytes)
  }
  const rewrite = (folder: string, changes: object) =>
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifestOf(folder), ...changes }))
  /** Changes a file, and its hash in the manifest. */
  const replace = (folder: string, name: string, text: string) => {
    rmSync(join(folder, name))
    writeFileSync(join(folder, name), text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const files = manifestOf(folder).files.map((file) => file.path === name ? { ...file, sha256 } : file)
    rewrite(folder, { files })
  }
  const object = objectsOf(backup)[0]!
  const cases: Array<[string, RegExp, (folder: string) => void]> = [
    ['records', /data\.mdb: not what the manifest says .* restore another backup/,
      (folder) => flip(join(folder, 'metadata', 'data.mdb'))],
    ['secrets', /secrets\.json: not what the manifest says/, (folder) => flip(join(folder, 'secrets.json'))],
    ['object', /not what the backup lists/, (folder) => flip(join(folder, 'objects', object.key))],
    ['no-object', /is missing; restore another backup/, (folder) => rmSync(join(folder, 'objects', object.key))],
    ['pipe', /is no file; restore another backup/, (folder) => {
      rmSync(join(folder, 'objects', object.key))
      execFileSync('mkfifo', [join(folder, 'objects', object.key)])
    }],
    ['link', /secrets\.json: is no file/, (folder) => {
      rmSync(join(folder, 'secrets.json'))
      symlinkSync(join(backup, 'secrets.json'), join(folder, 'secrets.json'))
    }],
    ['no-manifest', /a folder that tabcast backup made is wanted/, (folder) => rmSync(join(folder, 'manifest.json'))],
    ['format', /was made by tabcast 9\.0\.0 \(format 2, schema 1\).* restore it with tabcast 9\.0\.0 or a later one/,
      (folder) => rewrite(folder, { format: 2, release: '9.0.0' })],
    ['schema', /\(format 1, schema 7\).*this release reads format 1 and schema 1/,
      (folder) => rewrite(folder, { schema: 7, readableBy: 7 })],
    ['half-manifest', /not the manifest of a backup \(.*objects/, (folder) => rewrite(folder, { objects: undefined })],
    ['null-manifest', /not the manifest of a backup/, (folder) => {
      rmSync(join(folder, 'manifest.json'))
      writeFileSync(join(folder, 'manifest.json'), 'null')
    }],
    ['no-secrets', /secrets\.json: pepper must be 32 bytes in base64; restore another backup/,
      (folder) => replace(folder, 'secrets.json', '{"v":1}')],
    ['list', /objects\.jsonl, line 1: not JSON/, (folder) => replace(folder, 'objects.jsonl', '{nope\n')],
    ['list-entry', /objects\.jsonl, line 1: not an object of a backup/,
      (folder) => replace(folder, 'objects.jsonl', '{"state":"copied"}\n')]
  ]
  for (const [name, text, change] of cases) {
    const data = join(kept, `refused-${name}`)
    // In this process, which is quicker.
    const restoring = runRestoreCommand(loadConfig({ TABCAST_DATA_DIR: data }), [altered(t, name, change), '--keyring',
      keyring], (line) => t.comment(line))
    await t.rejects(restoring, { name: 'BackupError', message: text }, name)
    t.strictSame(readdirSync(data).filter((entry) => entry !== 'lock'), [], `${name}: nothing is in place`)
  }
})

t.test('a restore needs the keyring of the records', async (t) => {
  const missing = await restore('no-keyring', [])
  t.match(missing, {
    status: 1,
    stderr: new RegExp(`need the keyring with ${manifestOf(backup).keyring_ids[0]}.*--keyring FILE`)
  })
  const ring = JSON.parse(readFileSync(keyring, 'utf8')) as { active: string, keys: Record<string, string> }
  const write = (name: string, keys: Record<string, string>): string => {
    const path = join(kept, name)
    writeFileSync(path, JSON.stringify({ active: Object.keys(keys)[0], keys }), { mode: 0o600 })
    return path
  }
  const another = Buffer.alloc(32, 7).toString('base64')
  t.match(await restore('other-keyring', ['--keyring', write('other.json', { other: another })]), {
    status: 1,
    stderr: /the keyring has no key k-.*bring the keyring of the time of the backup/
  })
  t.match(await restore('false-keyring', ['--keyring', write('false.json', { [ring.active]: another })]), {
    status: 1,
    stderr: /damaged or belongs elsewhere/
  })
  t.match(await restore('absent-keyring', ['--keyring', join(kept, 'nowhere.json')]), {
    status: 1,
    stderr: /--keyring .*nowhere\.json: cannot be read \(ENOENT\)/
  })
  t.match(await restore('torn-keyring', ['--keyring', join(backup, 'objects.jsonl')]), {
    status: 1,
    stderr: /objects\.jsonl/
  })
  const named = await restore('named-keyring', [], backup, { TABCAST_KEYRING_FILE: keyring })
  t.match(named, { status: 0, stderr: '' })
  t.notOk(existsSync(join(named.data, 'keyring.json')), 'it stays where the settings say')
})

t.test('a place with something in it is kept, and so is a backup that is there', async (t) => {
  const data = join(kept, 'taken')
  mkdirSync(data)
  writeFileSync(join(data, 'note.txt'), 'mine')
  t.match(await restore('taken'), {
    status: 1,
    stderr: /TABCAST_DATA_DIR=.*taken is not empty: name a new folder, or give --force/
  })
  const forced = await restore('taken', ['--keyring', keyring, '--force'])
  t.equal(forced.status, 0, forced.stderr)
  const refused = await restore('taken', ['--keyring', keyring, '--force'],
    altered(t, 'forced', (folder) => rmSync(join(folder, 'secrets.json'))))
  t.match(refused, { status: 1, stdout: /is now in .*\nand is in \S+taken again/, stderr: /secrets\.json/ })
  t.ok(existsSync(join(data, 'metadata', 'data.mdb')), 'a refused restore puts back what it moved away')
  const aside = /is now in (\S+)/.exec(forced.stdout)?.[1] ?? ''
  t.equal(readFileSync(join(aside, 'note.txt'), 'utf8'), 'mine')

  const out = join(kept, 'offline')
  const env = { TABCAST_DATA_DIR: data }
  const offline = await runTabcast(['backup', '--out', out, '--no-objects'], env)
  t.match(offline, {
    status: 0,
    stdout:
      /^No service runs on TABCAST_DATA_DIR=\S+: what its folder holds was copied\.\n[^]*listed in objects\.jsonl and not copied[^]*the keyring is not in the backup: copy it with --keyring FILE/
  })
  t.strictSame(manifestOf(out).records, manifestOf(backup).records,
    'the same records, from a service that does not run')
  t.match(await runTabcast(['backup', '--out', out], env), { status: 1, stderr: /there is something in this folder/ })
  t.match(await runTabcast(['backup', '--out', join(data, 'spool', 'monday')], env), {
    status: 1,
    stderr: /in the data folder/
  })
  mkdirSync(join(kept, 'tuesday.partial'))
  writeFileSync(join(kept, 'tuesday.partial', 'note.txt'), 'mine')
  t.equal((await runTabcast(['backup', '--out', join(kept, 'tuesday'), '--no-objects'], env)).status, 0)
  t.equal(readFileSync(join(kept, 'tuesday.partial', 'note.txt'), 'utf8'), 'mine', 'a folder beside it is left alone')
  t.notOk(readdirSync(kept).some((name) => name.startsWith('tuesday.partial-')))
  t.match(await runTabcast(['backup', '--out', join(kept, 'new'), '--keyring', join(kept, 'new', 'keyring.json')], env),
    { status: 1, stderr: /keep it apart/ })
  t.match(await runTabcast(['backup', '--out', join(kept, 'new')], { TABCAST_DATA_DIR: join(kept, 'nowhere') }), {
    status: 1,
    stderr: /no records are here/
  })
  t.match(await runTabcast(['backup'], env), {
    status: 64,
    stdout: '',
    stderr: /^tabcast: backup: --out FOLDER, the new folder to make, is missing\n$/
  })
  t.match(await runTabcast(['restore'], env), {
    status: 64,
    stdout: '',
    stderr: /^tabcast: restore: the folder of the backup is missing\n$/
  })
  t.notOk(existsSync(join(kept, 'new')))
  const bare = await restore('bare', ['--keyring', keyring], out)
  t.match(bare, { status: 2, stdout: /The backup was made without objects: put them into .*objects before the start/ })

  mkdirSync(join(kept, 'broken-off', '.restoring'), { recursive: true })
  t.match(await runTabcast(['keys', 'list'], { TABCAST_DATA_DIR: join(kept, 'broken-off') }), {
    status: 78,
    stderr: /a restore into this folder broke off; run tabcast restore FOLDER --force/
  })
  t.match(await restore('broken-off'), { status: 1, stderr: /holds a restore that broke off/ })
})

t.test('what has expired since the backup is told', async (t) => {
  const data = join(kept, 'expired')
  const hour = 3_600_000
  const now = Date.now()
  t.intercept(Date, 'now', { value: () => now + hour + 120_000 })
  const lines: string[] = []
  await runRestoreCommand(loadConfig({ TABCAST_DATA_DIR: data }), [backup, '--keyring', keyring],
    (line) => lines.push(line))
  t.match(lines.join('\n'),
    /jobs: 4 completed, 0 failed, \d+ open, which the service runs when it is started, and 4 have expired since, which the service removes when it is started/)
})

/** Another user than root, who can run the program where it lies. */
const other = 65_534
const asOther = spawnSync(process.execPath, ['dist/cli.js', 'version'], {
  uid: other,
  gid: other,
  env: { PATH: process.env['PATH'] }
})
const whyNoOther = process.getuid?.() !== 0
  ? 'only root can be another user'
  : asOther.status !== 0
  ? 'another user cannot read this checkout'
  : false

t.test('root works for the user whose the data folder is', { skip: whyNoOther }, async (t) => {
  chmodSync(kept, 0o755)
  const data = join(kept, 'owned')
  mkdirSync(data)
  chownSync(data, other, other)
  const owners = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(folder, name)).uid)
  const restored = await restore('owned')
  t.match(restored, { status: 0, stderr: '' })
  t.notMatch(restored.stdout, 'belongs to root')
  t.match((await restore('roots')).stdout,
    /What was restored belongs to root: if the service runs as another user, chown -R/)
  t.ok(new Set(owners(data)).size === 1 && owners(data)[0] === other, "what was restored is that user's")

  const env = { TABCAST_DATA_DIR: data }
  const mine = await runTabcast(['backup', '--out', join(kept, 'of-root')], env)
  t.match(mine, {
    status: 1,
    stderr: /--out: user 65534, who owns the data folder, cannot create .*of-root \(EACCES.*name a place where it may/
  })
  const place = join(kept, 'place')
  mkdirSync(place)
  chownSync(place, other, other)
  t.match(await runTabcast(['backup', '--out', join(place, 'b'), '--keyring', join(place, 'k', 'k.json')], env), {
    status: 0,
    stderr: ''
  })
  t.match(await runTabcast(['doctor'], env), { status: 0, stdout: /ok +store/ })
  t.match(await runTabcast(['keys', 'create', '--tenant', 'acme'], env), {
    status: 0,
    stderr: /no service runs on TABCAST_DATA_DIR=.*owned\. A key from here/
  })
  for (const folder of [data, place]) t.strictSame([...new Set(owners(folder))], [other], 'no file of root is there')
  t.notOk(existsSync(join(data, 'objects', 'doctor')), 'a look leaves nothing')
})
