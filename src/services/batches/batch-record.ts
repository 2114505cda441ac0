/**
 * Jobs that were submitted together, in LMDB under [tenant, batchId]. It only lists the jobs; their own records hold
 * the progress.
 */
export interface BatchRecord {
  v: 1
  batchId: string
  tenant: string
  keyId: string
  requestId: string
  createdAtMs: number
  /** In the order of the request. */
  jobIds: string[]
  /** Jobs that are neither deleted nor expired. The last one takes this record with it. */
  left: number
}

export function isBatchId (text: string): boolean {
  return /^batch_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}
