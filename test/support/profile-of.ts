import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataProfile } from '../../src/domain/data-profile.ts'
import { createTask, profileData } from '../../src/engine/index.ts'
import { testLimits } from './job-message.ts'

/** What the engine finds in a table. */
export async function profileOf (csv: string): Promise<DataProfile> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'))
  try {
    const path = join(folder, 'table.csv')
    await writeFile(path, csv)
    const { maxCsvBytes: _csv, maxForecastPoints: _points, maxOutputBytes: _bytes, ...limits } = testLimits
    return await profileData({ inputPaths: [path], format: 'csv', compression: null, columns: {}, limits, threads: 2 },
      createTask())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
