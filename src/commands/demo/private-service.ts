import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { compiledProgram } from '../../platform/process/program-files.ts'

const startLimitMs = 60_000
const stopLimitMs = 30_000

export interface PrivateServiceOptions {
  /** The service's data folder; its log is `service.log` beside it. */
  folder: string
  /** The compiled command, dist/cli.js. */
  command?: string
  /** Starts node, for callers whose hooks into child processes must not affect the service. */
  launcher?: [string, ...string[]]
  /** Settings (with the TABCAST_ prefix) that differ from the defaults. Without TABCAST_PORT it uses a free port. */
  settings?: Record<string, string>
}

export interface PrivateService {
  readonly baseUrl: string
  /** Process id of the supervisor. */
  readonly pid: number
  /** Creates a key of a tenant (null: of the sandbox) with the command line, as an operator would. */
  createKey(tenant: string | null): Promise<string>
  /** The last lines of the service's log. */
  logTail(lines: number): string
  stop(): Promise<void>
}

/** Starts `tabcast serve` with embedded defaults on a free port, and resolves once a worker is ready. */
export async function startPrivateService (options: PrivateServiceOptions): Promise<PrivateService> {
  const command = options.command ?? compiledProgram('cli')
  const dataDir = join(options.folder, 'data')
  const logPath = join(options.folder, 'service.log')
  mkdirSync(dataDir, { recursive: true })
  const port = Number(options.settings?.['TABCAST_PORT'] ?? await findFreePort())
  const env = settingsOnly({ TABCAST_PORT: String(port), TABCAST_DATA_DIR: dataDir, ...options.settings })
  const log = openSync(logPath, 'a')
  const [program, ...args] = [...options.launcher ?? [], process.execPath, command] as [string, ...string[]]
  const child = spawn(program, [...args, 'serve'], { env, stdio: ['pipe', log, log] })
  closeSync(log)
  // The caller may end without stopping the service.
  const endWithCaller = (): void => {
    child.kill('SIGTERM')
  }
  process.once('exit', endWithCaller)
  child.once('exit', () => process.off('exit', endWithCaller))
  const logTail = (lines: number) => readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')

  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const forced = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
    await ended
    clearTimeout(forced)
  }

  const baseUrl = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(baseUrl, () => child.exitCode ?? child.signalCode)
  } catch (error) {
    await stop()
    throw new Error(`${(error as Error).message}; the end of its log:\n${logTail(20)}`, { cause: error })
  }
  return {
    baseUrl,
    pid: child.pid as number,
    async createKey (tenant) {
      const { stdout } = await promisify(execFile)(program, [...args, 'keys', 'create',
        ...tenant === null ? ['--scopes', 'sandbox'] : ['--tenant', tenant]], { env })
      return stdout.trim().split('\n').at(-1) ?? ''
    },
    logTail,
    stop
  }
}

/** Settings of the caller's shell must not reach a private service, which runs on its defaults. */
function settingsOnly (settings: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TABCAST_'))
  return { ...Object.fromEntries(inherited), ...settings }
}

/** Below the ports that the kernel assigns itself, so that no other server gets the port before it is used. */
export async function findFreePort (): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    if (!await once(server, 'listening').then(() => true, () => false)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

async function waitUntilReady (baseUrl: string, ended: () => number | string | null): Promise<void> {
  const deadline = performance.now() + startLimitMs
  let last = 'no answer yet'
  while (performance.now() < deadline) {
    const end = ended()
    if (end !== null) throw new Error(`the service ended while starting (${end})`)
    try {
      const answer = await fetch(`${baseUrl}/health`)
      const health = await answer.json() as { status: string }
      if (answer.ok && health.status === 'ok') return
      last = JSON.stringify(health)
    } catch (error) {
      // Nothing listens yet.
      last = (error as Error).message
    }
    await sleep(50)
  }
  throw new Error(`the service was not ready within ${startLimitMs / 1000} s (${last})`)
}
