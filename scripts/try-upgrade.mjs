/*
 * Tries whether a release takes over the data folder of another one, and what happens on the way back: node
 * try-upgrade.mjs OLD NEW Each is a package (.tar.gz) or the folder of a program that is built. The old one makes
 * forecasts, one of which it is stopped in; the new one has to give the same records and the same bytes, to finish what
 * was begun and to answer a repeated upload with the job that is there; then the old one is started on what the new one
 * left, and on a copy from before.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { address, check, client, monthlySales } from './running-service.mjs'

const [oldProgram, newProgram] = process.argv.slice(2)
if (newProgram === undefined) {
  throw new Error('usage: node try-upgrade.mjs OLD NEW, each a package or the folder of a built program')
}
const small = monthlySales(5, 96)
const fields = { prediction_length: 12 }
/** Takes longer than the drain on any machine. */
const large = monthlySales(400, 96)
const longFields = { prediction_length: 12, presets: 'best' }
const repeated = { 'idempotency-key': 'the same upload' }
const folder = mkdtempSync(join(tmpdir(), 'tabcast-upgrade-'))
const data = join(folder, 'data')

/** The command that runs a program: its launcher in a package, its compiled entry in a checkout. */
function command (program, name) {
  if (!program.endsWith('.tar.gz')) {
    return existsSync(join(program, 'dist/cli.js'))
      ? [process.execPath, resolve(program, 'dist/cli.js')]
      : [resolve(program, 'tabcast')]
  }
  const root = join(folder, name)
  mkdirSync(root)
  execFileSync('tar', ['-xzf', program, '-C', root])
  return [join(root, basename(program, '.tar.gz'), 'tabcast')]
}

const environment = (dataFolder) => ({
  PATH: process.env.PATH,
  TABCAST_PORT: '0',
  TABCAST_DATA_DIR: dataFolder,
  TABCAST_DRAIN_MS: '1000'
})

function run ([program, ...first], args) {
  return execFileSync(program, [...first, ...args], { env: environment(data), encoding: 'utf8' })
}

/** A release may need a moment until its worker is heard. */
const patientClient = (baseUrl, key) => client(baseUrl, key, 10)

/** Runs `use` with the address of a service, which has to stop without an error afterwards. */
async function serving ([program, ...first], use, dataFolder = data) {
  const log = join(folder, 'log')
  const service = spawn(program, [...first, 'serve'], {
    env: environment(dataFolder),
    stdio: ['ignore', 'pipe', openSync(log, 'w')]
  })
  const exit = once(service, 'exit')
  try {
    await use(await address(service))
    service.kill('SIGTERM')
    const [code] = await exit
    check('exit code', code, 0)
  } catch (error) {
    if (service.exitCode === null) service.kill('SIGTERM')
    await exit
    throw Object.assign(error, { exitCode: service.exitCode, log: readFileSync(log, 'utf8') })
  }
}

/** A newer release may add fields to a record, and takes none away nor changes one. */
function checkRecord (found, expected, name) {
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
  if (!isObject) return check(name, JSON.stringify(found), JSON.stringify(expected))
  for (const [field, value] of Object.entries(expected)) checkRecord(found?.[field], value, `${name}.${field}`)
}

const digest = (text) => createHash('sha256').update(text).digest('hex')
const say = (line) => process.stdout.write(line + '\n')

try {
  const before = command(oldProgram, 'old')
  const after = command(newProgram, 'new')
  let key, done, begun, csv
  await serving(before, async (baseUrl) => {
    key = run(before, ['keys', 'create', '--tenant', 'try']).trim().split('\n').at(-1)
    const { submit, completed, download, job } = patientClient(baseUrl, key)
    done = await completed((await submit(small, fields, repeated)).job_id)
    csv = digest(await download(done.job_id))
    begun = await submit(large, longFields)
    while ((await job(begun.job_id)).status === 'pending') await setTimeout(20)
    check('the long job', (await job(begun.job_id)).status, 'running')
  })
  say('old: a forecast made, another one stopped in its middle')
  const copy = join(folder, 'before')
  cpSync(data, copy, { recursive: true, preserveTimestamps: true })

  let added
  await serving(after, async (baseUrl) => {
    const { submit, completed, download, job } = patientClient(baseUrl, key)
    check('the stopped job is open', ['pending', 'running'].includes((await job(begun.job_id)).status), true)
    checkRecord(await job(done.job_id), done, 'job')
    check('the same bytes', digest(await download(done.job_id)), csv)
    check('a repeated upload', (await submit(small, fields, repeated)).job_id, done.job_id)
    added = await completed((await submit(small, fields)).job_id)
    await completed(begun.job_id)
    say(run(after, ['doctor']).trimEnd().replace(/^/gm, '  '))
  })
  say(
    'new: same record, same bytes, same answer to the repeated upload; the stopped job completed; a new forecast made'
  )

  try {
    await serving(before, async (baseUrl) => {
      const { submit, completed, download } = patientClient(baseUrl, key)
      for (const { job_id: id } of [done, begun, added]) await completed(id)
      check('the same bytes', digest(await download(done.job_id)), csv)
      await completed((await submit(small, fields)).job_id)
    })
    say('old again, on the folder of the new one: all jobs there, a new forecast made')
  } catch (error) {
    if (error.exitCode !== 78) throw error
    say(`old again, on the folder of the new one: refused. ${error.log.trim().split('\n').at(-1)}`)
  }
  await serving(before, async (baseUrl) => {
    const { completed, download } = patientClient(baseUrl, key)
    check('the same bytes', digest(await download(done.job_id)), csv)
    await completed(begun.job_id)
  }, copy)
  say('old again, on the copy from before: same bytes, the stopped job completed')
} catch (error) {
  process.stderr.write(error.log ?? '')
  throw error
} finally {
  rmSync(folder, { recursive: true, force: true })
}
