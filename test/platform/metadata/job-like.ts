/** A record of the size and shape of a job's. */
export interface JobLike {
  id: string
  status: string
  attempt: number
  spec: { horizon: number, levels: number[], columns: Record<string, string> }
  note?: string | undefined
  padding: string
}

export function jobLike (id: string, attempt = 0, padding = 300): JobLike {
  return {
    id,
    status: 'pending',
    attempt,
    spec: { horizon: 24, levels: [0.1, 0.5, 0.9], columns: { itemId: 'item_id', timestamp: 'timestamp' } },
    padding: String.fromCharCode(97 + attempt % 26).repeat(padding)
  }
}
