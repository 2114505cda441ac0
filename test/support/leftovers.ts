import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Files below a folder, relative to it; none when it does not exist. */
export async function filesIn (folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) =>
      relative(folder, join(entry.parentPath, entry.name))
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Objects of a tenant, and of one of its jobs when it is named. */
export async function objectsOf (service: TestService, tenant: string, jobId?: string): Promise<string[]> {
  const files = await filesIn(join(service.folder, 'data', 'objects'))
  return files.filter((path) =>
    path.split('/').includes(tenant) && (jobId === undefined || path.split('/').includes(jobId))
  )
}

export async function spooled (service: TestService): Promise<string[]> {
  return await filesIn(join(service.folder, 'data', 'spool'))
}

/**
 * A refused upload is gone: from the spool at once or as soon as its connection is, from the objects before the answer.
 */
export async function expectNothingLeft (t: Test, service: TestService, tenant: string): Promise<void> {
  t.strictSame(await objectsOf(service, tenant), [], 'no object is left')
  await until('an empty spool', async () => (await spooled(service)).length === 0, 10_000)
  const scratch = join(service.folder, 'data', 'scratch')
  await until('an empty scratch folder', async () => (await filesIn(scratch)).length === 0, 10_000)
}

export async function expectHealthy (t: Test, service: TestService): Promise<void> {
  const answer = await fetch(`${service.baseUrl}/health`)
  const health = await answer.json() as { status: string }
  t.equal(answer.status, 200)
  t.equal(health.status, 'ok', 'the service is healthy')
}

/** Bytes in regular files below the data folder. */
export async function dataBytes (service: TestService): Promise<number> {
  const folder = join(service.folder, 'data')
  let bytes = 0
  for (const path of await filesIn(folder)) bytes += (await stat(join(folder, path))).size
  return bytes
}

/** Peak resident memory of a process so far, in bytes. */
export function peakMemory (pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (line === null) throw new Error(`no VmHWM for process ${pid}`)
  return Number(line[1]) * 1024
}

/** Stored files that the api holds open. */
export function openObjects (service: TestService): string[] {
  return service.pids('api').flatMap((pid) =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
      } catch (error) {
        // Closed since the listing.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    })
  ).filter((path) => path.includes('/objects/'))
}

/** Of these, the files that have no name any more. */
export function deletedButOpen (service: TestService): string[] {
  return openObjects(service).filter((path) => path.endsWith(' (deleted)'))
}
