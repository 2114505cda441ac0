import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedServerError } from './queue-error.ts'
import { writePrivateFile, type ServerState } from './server-state.ts'

/**
 * The server cannot end with its parent on its own. So a shell beside it waits for the end of a pipe that only the
 * parent holds open, however the parent ends. Both commands are built into the shell, because PATH may have nothing but
 * node.
 */
const guardScript = 'read -r _; kill "$1"'
const maxFileStoreBytes = 4 * 2 ** 30
const startMs = 15_000
const stopMs = 10_000
const keptOutputChars = 2_000

/** One run of nats-server, from start to end. */
export class ServerProcess {
  readonly pid: number
  readonly port: number
  /** Resolves with the reason when the server has ended. */
  readonly exited: Promise<string>
  readonly #child: ChildProcess

  private constructor (child: ChildProcess, exited: Promise<string>, pid: number, port: number) {
    this.#child = child
    this.exited = exited
    this.pid = pid
    this.port = port
  }

  /** Port -1 lets the server choose. Rejects with the server's own message if it does not come up. */
  static async start (binary: string, folder: string, state: ServerState): Promise<ServerProcess> {
    const ports = join(folder, 'ports')
    await rm(ports, { recursive: true, force: true })
    await mkdir(ports, { recursive: true, mode: 0o700 })
    const configuration = configurationPath(folder)
    await writePrivateFile(configuration, configurationText(folder, ports, state))
    // A process group of its own: Ctrl-C must not end the queue before the processes that still report to it.
    const child = spawn(binary, ['-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'], env: {}, detached: true })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutputChars)
    })
    const exited = new Promise<string>((resolve) => {
      child.once('exit',
        (code, signal) => resolve(`exit ${String(signal ?? code)}${output === '' ? '' : `: ${output.trim()}`}`))
      child.once('error', (error) => resolve(error.message))
    })
    if (child.pid !== undefined) guard(child.pid, exited)
    const failed = exited.then(async (reason) => {
      throw new EmbeddedServerError(`nats-server did not start: ${reason}${await logTail(folder)}`)
    })
    failed.catch(() => undefined)
    try {
      const { pid, port } = await Promise.race([failed, readPorts(ports)])
      return new ServerProcess(child, exited, pid, port)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Lets JetStream write its data before the server ends. */
  async stop (): Promise<void> {
    this.#child.kill('SIGTERM')
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs)
    await this.exited
    clearTimeout(killer)
  }
}

function guard (pid: number, exited: Promise<string>): void {
  const shell = spawn('/bin/sh', ['-c', guardScript, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true
  })
  shell.on('error', () => undefined)
  // The guard must end with the server, because the process id could belong to another process when the pipe ends.
  const end = () => {
    shell.kill('SIGKILL')
  }
  exited.then(end, end)
}

/** Ends a server that an earlier supervisor left, if its command line shows that it is ours. */
export async function stopLeftover (folder: string): Promise<number | undefined> {
  const pid = Number(await readFile(pidPath(folder), 'utf8').catch(() => ''))
  if (!Number.isInteger(pid) || pid <= 1 || !await isOurs(pid, folder)) return undefined
  kill(pid, 'SIGTERM')
  for (let waitedMs = 0; await isOurs(pid, folder); waitedMs += 50) {
    if (waitedMs === stopMs) kill(pid, 'SIGKILL')
    await sleep(50)
  }
  return pid
}

async function isOurs (pid: number, folder: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.split('\0').includes(configurationPath(folder))
}

/** The server writes this file once it accepts connections. */
async function readPorts (folder: string): Promise<{ pid: number, port: number }> {
  for (let waitedMs = 0; waitedMs < startMs; waitedMs += 10) {
    for (const name of await readdir(folder)) {
      const found = await readPortsFile(folder, name)
      if (found !== undefined) return found
    }
    await sleep(10)
  }
  throw new Error(`nats-server was not ready within ${startMs} ms`)
}

async function readPortsFile (folder: string, name: string): Promise<{ pid: number, port: number } | undefined> {
  const pid = /_(\d+)\.ports$/.exec(name)?.[1]
  if (pid === undefined) return undefined
  const text = await readFile(join(folder, name), 'utf8')
  // The file is created empty and filled later.
  const port = /"nats":\s*\[\s*"nats:\/\/[^"]*:(\d+)"/.exec(text)?.[1]
  return port === undefined ? undefined : { pid: Number(pid), port: Number(port) }
}

function configurationPath (folder: string): string {
  return join(folder, 'nats-server.conf')
}

function pidPath (folder: string): string {
  return join(folder, 'nats-server.pid')
}

function logPath (folder: string): string {
  return join(folder, 'nats-server.log')
}

/**
 * `sync_interval: always`: an acknowledged message is on disk. With the default of two minutes, a power cut would lose
 * it.
 */
function configurationText (folder: string, ports: string, { port, token }: ServerState): string {
  const text = JSON.stringify
  return `listen: "127.0.0.1:${port}"
server_name: "tabcast"
ports_file_dir: ${text(ports)}
pid_file: ${text(pidPath(folder))}
log_file: ${text(logPath(folder))}
logfile_size_limit: 10MB
logfile_max_num: 3
authorization { token: ${text(token)} }
jetstream {
  store_dir: ${text(join(folder, 'streams'))}
  max_memory_store: 64MB
  max_file_store: ${maxFileStoreBytes}
  sync_interval: always
}
`
}

async function logTail (folder: string): Promise<string> {
  const log = await readFile(logPath(folder), 'utf8').catch(() => '')
  const serious = log.split('\n').filter((line) => /\[(ERR|FTL)\]/.test(line)).slice(-3)
  return serious.length === 0 ? '' : `; ${serious.join('; ')}`
}

function kill (pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
