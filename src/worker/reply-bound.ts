import type { ContentError } from '../domain/content-error.ts'
import type { SlotTask } from './slot-messages.ts'

/** An answer to a waiting caller travels in one queue message, of at most 1 MiB. */
const maxReplyBytes = 900_000
const replies: ReadonlySet<SlotTask['kind']> = new Set(['check', 'preview', 'profile', 'inspect'])

/**
 * Why the result of a task is too large to send; null if it is not. The slot calls this, before the worker receives the
 * result.
 */
export function replyFault (kind: SlotTask['kind'], result: unknown): ContentError | null {
  if (!replies.has(kind)) return null
  const bytes = Buffer.byteLength(JSON.stringify(result))
  if (bytes <= maxReplyBytes) return null
  return {
    code: 'reply_too_large',
    status: 413,
    message:
      `What is in this file takes ${bytes} bytes to tell, and ${maxReplyBytes} are the most: its columns or values ` +
      'have very long names.',
    column: null,
    row: null,
    item: null,
    count: null,
    suggestion: 'Send fewer columns, or shorter names.'
  }
}
