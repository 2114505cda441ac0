import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { launcher } from './command.ts'
import { childrenOf, signal } from './processes.ts'
import { until } from './until.ts'

export interface Host {
  log(): string
  /** Whether it has a network of its own: this needs a kernel or container that allows namespaces. */
  readonly isSeparate: boolean
  /** SIGTERM to its worker; gives the exit code. */
  stop(): Promise<number | null>
  /** As if its power failed. */
  kill(): Promise<void>
}

export interface Network {
  /** Starts a host with a worker, which reaches the queue and the store, and nothing else. */
  startHost(settings?: Record<string, string>): Promise<Host>
}

/** Hosts around a queue and a store that listen on this machine. Each has its own folder and its own network. */
export async function openNetwork (t: Test, queue: { port: number, token: string }, storePort: number,
  settings: Record<string, string>): Promise<Network> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-hosts-'))
  const hosts: Host[] = []
  const ways = { queue: join(folder, 'queue'), store: join(folder, 'store') }
  const closeWays = [await openWay(ways.queue, queue.port), await openWay(ways.store, storePort)]
  t.teardown(async () => {
    await Promise.all(hosts.map((host) => host.kill()))
    for (const close of closeWays) close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    async startHost (changes = {}) {
      const data = join(folder, `host-${hosts.length}`)
      mkdirSync(data)
      // Where namespaces are not allowed, all hosts have one loopback.
      const ports = { queue: await findFreePort(), store: await findFreePort() }
      const host = startProcess({
        doors: [{ port: ports.queue, path: ways.queue }, { port: ports.store, path: ways.store }],
        command: [...launcher, process.execPath, resolve('dist/cli.js'), 'worker']
      }, {
        ...settings,
        TABCAST_DATA_DIR: data,
        TABCAST_NATS_URL: `nats://127.0.0.1:${ports.queue}`,
        TABCAST_NATS_TOKEN: queue.token,
        TABCAST_S3_ENDPOINT: `http://127.0.0.1:${ports.store}`,
        ...changes
      })
      hosts.push(host)
      await until('the worker of a host', () => host.log().includes('worker started'))
      return host
    }
  }
}

function startProcess (what: { doors: Array<{ port: number, path: string }>, command: string[] },
  settings: Record<string, string>): Host {
  const [program, ...first] = launcher
  const child = spawn(program, [...first, 'scripts/without-network.sh', process.execPath,
    'test/support/host-process.mjs', JSON.stringify(what)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], ...settings }
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'exit')
  return {
    log: () => log,
    get isSeparate () {
      return log.includes('no route: only the loopback is there')
    },
    async stop () {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
    async kill () {
      const workers = child.exitCode === null && child.signalCode === null ? childrenOf(child.pid!) : []
      const slots = workers.flatMap(({ pid }) => childrenOf(pid))
      for (const pid of [child.pid!, ...[...workers, ...slots].map(({ pid }) => pid)]) signal(pid, 'SIGKILL')
      await ended
    }
  }
}

/** A socket in the file system, which other networks see too, to a port of this one. */
async function openWay (path: string, port: number): Promise<() => void> {
  const server = createServer((here) => {
    const there = connect(port, '127.0.0.1')
    for (const socket of [here, there]) {
      socket.on('error', () => undefined).on('close', () => {
        here.destroy()
        there.destroy()
      })
    }
    here.pipe(there)
    there.pipe(here)
  })
  server.listen(path)
  await once(server, 'listening')
  return () => {
    server.close()
  }
}
