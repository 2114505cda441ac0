/**
 * Jobs that were asked for together, in LMDB under [tenant, batchId]. The jobs are the truth about how far it is; this
 * says which ones they are.
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
  /** Jobs that have not been deleted and have not expired; the record goes with the last one. */
  left: number
}

export function isBatchId (text: string): boolean {
  return /^batch_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}
