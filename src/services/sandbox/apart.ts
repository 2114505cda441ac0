import type { JobFollower } from '../jobs/job-ledger.ts'
import type { JobObserver } from '../jobs/job-observer.ts'
import type { JobRecord } from '../jobs/job-record.ts'

/** Hides the sandbox's jobs from a follower that belongs to tenants: estimates, quotas, audit, callbacks. */
export function withoutSandbox (follower: JobFollower): JobFollower {
  return {
    created: (tx, record) => {
      if (!isOfSandbox(record)) follower.created?.(tx, record)
    },
    ended: (tx, record) => isOfSandbox(record) ? record : follower.ended?.(tx, record) ?? record,
    filed: (tx, record) => {
      if (!isOfSandbox(record)) follower.filed?.(tx, record)
    },
    buried: (tx, record) => {
      if (!isOfSandbox(record)) follower.buried?.(tx, record)
    }
  }
}

/** Sends each event to the observer of tenants or to that of the sandbox. */
export function splitObserver (ofTenants: JobObserver | undefined, ofSandbox: JobObserver): JobObserver {
  const of = (record: JobRecord): JobObserver | undefined => isOfSandbox(record) ? ofSandbox : ofTenants
  return {
    found: (record) => of(record)?.found(record),
    created: (record) => of(record)?.created(record),
    claimed: (before, after) => of(after)?.claimed(before, after),
    redispatched: (record) => of(record)?.redispatched(record),
    ended: (record) => of(record)?.ended(record),
    buried: (record) => of(record)?.buried(record)
  }
}

function isOfSandbox ({ sandbox }: JobRecord): boolean {
  return sandbox !== undefined
}
