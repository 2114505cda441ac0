import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths } from '../platform/config.ts'
import { deployedCommit } from '../platform/process/deployed-commit.ts'
import { release } from '../platform/process/release.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import type { RouteContext } from './api.ts'

export interface Health {
  version: string
  timestamp: string
  status: 'ok' | 'degraded'
  commit: string
  checks: Record<string, string>
}

/** Without these no job can be accepted or read. The others recover by themselves or need only workers. */
const critical = ['upload_dir', 'output_dir', 'metadata_store']
const probeTimeoutMs = 2000
/** The address is public, so callers must not be able to multiply its cost. */
const keepMs = 1000
/** A bucket with versioning keeps two versions of each file that a probe writes and deletes. */
const keepElsewhereMs = 10_000

/** Probes each resource at most once a second. `isReady` is false when a critical one fails. */
export function healthProbe ({ config, services }: RouteContext): () => Promise<{ health: Health, isReady: boolean }> {
  const { spool } = dataPaths(config)
  const commit = deployedCommit()
  const probeStore = () => services.store.probe()
  const probes: Record<string, () => unknown> = {
    upload_dir: () => writeProbe(spool),
    // `object_store` reports on a remote store. Without it, records can still be read here.
    output_dir: () => isRemoteStore(config) ? writeProbe(config.DATA_DIR) : probeStore(),
    metadata_store: () => services.metadata.probe(),
    disk: () => {
      // What is promised to results is an estimate, and not taken yet.
      if (services.room.shortage(0, 0) !== undefined) throw new Error('no room for uploads and jobs')
    },
    queue: () => {
      if (!services.jobs.state().connected) throw new Error('not connected')
    },
    object_store: isRemoteStore(config) ? kept(probeStore, keepElsewhereMs) : probeStore,
    workers: () => {
      if (services.jobs.state().workers === 0) throw new Error('none is announced')
    }
  }

  async function probe () {
    const results = await Promise.all(
      Object.entries(probes).map(async ([name, run]) => [name, await outcome(run)] as const)
    )
    const failed = results.filter(([, result]) => result !== 'ok').map(([name]) => name)
    const health: Health = {
      version: release,
      timestamp: new Date().toISOString(),
      status: failed.length === 0 ? 'ok' : 'degraded',
      commit,
      checks: Object.fromEntries(results)
    }
    return { health, isReady: !critical.some((name) => failed.includes(name)) }
  }

  let current: ReturnType<typeof probe> | undefined
  let startedAtMs = -Infinity
  return () => {
    if (current === undefined || performance.now() - startedAtMs > keepMs) {
      startedAtMs = performance.now()
      current = probe()
    }
    return current
  }
}

/** Keeps a success for a while. After a failure the next call probes again. */
function kept (run: () => Promise<void>, forMs: number): () => Promise<void> {
  let untilMs = -Infinity
  return async () => {
    const startedAtMs = performance.now()
    if (startedAtMs < untilMs) return
    await run()
    untilMs = startedAtMs + forMs
  }
}

/** `ok`, or the failure without paths or addresses, because anyone may read it. */
async function outcome (run: () => unknown): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${probeTimeoutMs} ms`)), probeTimeoutMs)
  })
  try {
    await Promise.race([Promise.resolve().then(run), tooSlow])
    return 'ok'
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return `error: ${code ?? message}`
  } finally {
    clearTimeout(timer)
  }
}

async function writeProbe (folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `probe-${randomUUID()}`)
  try {
    await writeFile(path, Buffer.alloc(4096), { flag: 'wx', flush: true })
  } finally {
    await rm(path, { force: true })
  }
}
