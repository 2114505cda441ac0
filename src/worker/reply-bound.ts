import type { ContentError } from '../domain/content-error.ts'
import type { SlotTask } from './slot-messages.ts'

/** Answers to a caller who waits travel in one message of the queue, of at most 1 MiB. */
const maxReplyBytes = 900_000
const replies: ReadonlySet<SlotTask['kind']> = new Set(['check', 'preview', 'profile', 'inspect'])

/**
 * Why the result of a task cannot be told, though it is right; null: it can. The slot asks, before the worker has it.
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
