import { join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { startS3 } from '../../test/support/s3.ts'
import type { Bench } from '../bench.ts'
import { LoadClient } from '../http/load-client.ts'
import type { Measurement } from '../result.ts'
import { measureAuditPages } from './audit-pages.ts'
import { startBareFileServer } from './bare-file-server.ts'
import { measureForeignIds } from './foreign-ids.ts'
import { measurePreviews } from './previews.ts'
import { measureSourceRead } from './source-read.ts'
import { measureTransfers } from './transfers.ts'

const command = join('dist', 'cli.js')

/** Stored objects on a bucket and on a folder, a source of many parts, and what callers wait for. */
export const benchStorage: Bench = async ({ trial, folder, log }) => {
  const ends: Array<() => unknown> = []
  const rows: Measurement[] = []
  const open = async (name: string, settings: Record<string, string>) => {
    const service = await startPrivateService({
      folder: join(folder, name),
      command,
      settings: { TABCAST_RATE_LIMITS: 'false', TABCAST_SLOTS: '2', ...settings }
    })
    ends.push(() => service.stop())
    return service
  }
  try {
    const s3 = await startS3({
      teardown: (end: () => unknown) => {
        ends.push(end)
      }
    } as Parameters<typeof startS3>[0], 'minio')
    await s3.createBucket('service')
    await s3.createBucket('customer')

    log('a large object through signed addresses of a bucket')
    const onBucket = await open('bucket', s3.settings('service'))
    rows.push(
      ...await measureTransfers({
        store: 'bucket',
        service: onBucket,
        folder,
        trial,
        raw: { kind: 'client', s3, bucket: 'service' }
      })
    )
    await onBucket.stop()

    log('the same on a folder')
    const onFolder = await open('folder', {})
    const bare = await startBareFileServer(join(folder, 'bare'))
    ends.push(() => bare.stop())
    rows.push(
      ...await measureTransfers({
        store: 'folder',
        service: onFolder,
        folder,
        trial,
        raw: { kind: 'server', url: bare.url }
      })
    )

    log('previews')
    const client = new LoadClient(onFolder.baseUrl, await onFolder.createKey('bench'))
    ends.push(() => client.close())
    rows.push(await measurePreviews(client, trial))
    log('identifiers of another tenant')
    rows.push(...await measureForeignIds(onFolder, trial))
    log('a source of 200 parts')
    rows.push(await measureSourceRead(s3, 'customer', trial))
    log('pages of an audit trail')
    rows.push(await measureAuditPages(join(folder, 'audit'), trial))
    return rows
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
