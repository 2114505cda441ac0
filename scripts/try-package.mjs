/*
 * Tries a package as a machine has it that has nothing but Node.js: unpacks it into an empty folder, starts it with a
 * PATH in which there is only node, and forecasts a file. Prints the seconds from the start of unpacking until the
 * forecast is there; fails above a limit. Needs no file but running-service.mjs and the archive: node try-package.mjs
 * [ARCHIVE [LIMIT_SECONDS]]
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync,
  writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { address, check, client, monthlySales } from './running-service.mjs'

const [archive = newestPackage(), limitSeconds = '60'] = process.argv.slice(2)
const series = 5
const months = 96
const horizon = 12

function newestPackage () {
  const archives = readdirSync('dist-package').filter((name) => name.endsWith('.tar.gz')).map((name) =>
    join('dist-package', name)
  )
  if (archives.length === 0) throw new Error('dist-package has no package: run `make package`')
  return archives.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
}

function checkDigest () {
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  if (readFileSync(`${archive}.sha256`, 'utf8') !== `${digest}  ${basename(archive)}\n`) {
    throw new Error(`${archive} is not what ${archive}.sha256 says`)
  }
}

async function tryIn (folder) {
  const marks = []
  const startMs = performance.now()
  const mark = (what) =>
    marks.push(`  ${what.padEnd(24)} ${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  mark('unpacked')
  const root = join(folder, basename(archive, '.tar.gz'))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  const options = { cwd: folder, env: { PATH: bin, TABCAST_PORT: '0', TABCAST_DATA_DIR: join(folder, 'data') } }
  const service = spawn(join(root, 'tabcast'), ['serve'], {
    ...options,
    stdio: ['ignore', 'pipe', openSync(join(folder, 'log'), 'w')]
  })
  try {
    const baseUrl = await address(service)
    mark('service listens')
    const key = execFileSync(join(root, 'tabcast'), ['keys', 'create', '--tenant', 'try'], {
      ...options,
      encoding: 'utf8'
    }).trim().split('\n').at(-1)
    mark('key made')
    const sales = monthlySales(series, months)
    const { submit, completed, download } = client(baseUrl, key)
    const { job_id: id } = await submit(sales, { prediction_length: horizon })
    await completed(id)
    const rows = (await download(id)).trimEnd().split('\n')
    mark('forecast downloaded')
    const seconds = (performance.now() - startMs) / 1000
    check('header', rows[0], 'item_id,timestamp,mean,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9')
    check('rows', rows.length - 1, series * horizon)
    check('row of a step', rows[1].startsWith('shop-0,2026-01-01 00:00:00,'), true)
    const file = join(folder, 'sales.csv')
    writeFileSync(file, sales)
    const drawn = execFileSync(join(root, 'tabcast'), ['forecast', file, '--horizon', String(horizon), '--url',
      baseUrl], { ...options, env: { ...options.env, TABCAST_API_KEY: key }, encoding: 'utf8' })
    check('the command line forecasts and draws', /12 steps of 5 series[^]*shop-0 {2}[▁-█]+│[▁-█]{12}/.test(drawn),
      true)
    for (const path of ['clients/typescript/dist/index.js', 'clients/python/pyproject.toml',
      'docs/get-started/first-forecast.md', 'docs/images/forecast-light.png', 'src/sources/covariates/README.md']) {
      check(path, existsSync(join(root, path)), true)
    }
    const health = await (await fetch(`${baseUrl}/health`)).json()
    check('health', health.status, 'ok')
    const pages = await (await fetch(`${baseUrl}/docs/get-started/install`)).text()
    check('pages', pages.includes('<title>Install | tabcast</title>'), true)
    check('commit', health.commit, readFileSync(join(root, 'commit'), 'utf8').trim())
    check('version', health.version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
    service.kill('SIGTERM')
    const [code] = await once(service, 'exit')
    check('exit code', code, 0)
    process.stdout.write(
      `${basename(archive)}, Node.js ${process.versions.node}\n${marks.join('\n')}\nfirst forecast ${
        seconds.toFixed(1)
      } s after the start of unpacking (limit ${limitSeconds} s)\n`
    )
    if (seconds > Number(limitSeconds)) throw new Error(`slower than ${limitSeconds} s`)
  } catch (error) {
    process.stderr.write(readFileSync(join(folder, 'log'), 'utf8'))
    throw error
  } finally {
    // Its end is the end of what it started.
    if (service.exitCode === null && service.signalCode === null) {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
  }
}

checkDigest()
const folder = mkdtempSync(join(tmpdir(), 'tabcast-package-'))
try {
  await tryIn(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
