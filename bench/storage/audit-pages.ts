import { renderAuditText } from '../../src/api/render-connection.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import { auditTables } from '../../src/services/audit/audit-log.ts'
import { AuditTrail } from '../../src/services/connections/audit-trail.ts'
import { connectionTables } from '../../src/services/connections/tables.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'

const pageSize = 1_000
const batch = 1_000

/** Every page of a long audit trail, read from the record and rendered as the route answers it. */
export async function measureAuditPages (path: string, trial: boolean): Promise<Measurement> {
  const count = trial ? 5_000 : 100_000
  const metadata = await openMetadata({ path, tables: [...connectionTables, ...auditTables], check: false })
  const trail = new AuditTrail(metadata)
  const id = 'conn_01J00000000000000000000000'
  try {
    for (let made = 0; made < count; made += batch) {
      await metadata.transact((tx) => {
        for (let index = 0; index < batch; index++) {
          trail.append(tx, 'acme', id, {
            action: 'deliver',
            outcome: 'success',
            keyId: 'abcdefgh',
            requestId: 'req_01J00000000000000000000000',
            jobId: 'job_01J00000000000000000000000',
            objectUri: `s3://sales/service-forecasts/2026-11-21/${made + index}.csv`,
            bytes: 123_456,
            rows: 1_000
          })
        }
      })
    }
    const pagesMs: number[] = []
    // The first round compiles the code that it runs.
    for (const isMeasured of [false, true]) {
      for (let before: number | null = null, more = true; more;) {
        const startMs = performance.now()
        const page = trail.page('acme', id, pageSize, before)
        renderAuditText(id, page.records, page.next === null ? null : 'cursor')
        if (isMeasured) pagesMs.push(performance.now() - startMs)
        before = page.next
        more = page.next !== null
      }
    }
    return {
      what: `page of ${pageSize} of an audit trail of ${count}, slowest of ${pagesMs.length}`,
      figure: quantile(pagesMs, 1),
      unit: 'ms',
      gate: { atMost: 20 }
    }
  } finally {
    await metadata.close()
  }
}
