import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ulid } from 'ulid'
import type { ObjectStore } from './object-store.ts'
import { StoreError } from './store-error.ts'

/** Prefix of the probe objects. */
export const probes = 'doctor'

/** Whether the store honours `ifAbsent` (If-None-Match): writes a probe twice, and deletes it. */
export async function refusesSecondWrite (store: ObjectStore): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-probe-'))
  const path = join(folder, 'probe')
  const key = `${probes}/${ulid()}/probe`
  try {
    await writeFile(path, 'probe')
    await store.putFile(key, path, { ifAbsent: true })
    try {
      await store.putFile(key, path, { ifAbsent: true })
      return false
    } catch (error) {
      if (error instanceof StoreError && error.code === 'exists') return true
      throw error
    } finally {
      await store.deleteKey(key)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
