import { writeFile } from 'node:fs/promises'
import { ProviderError } from '../provider-error.ts'
import type { ProviderNetwork } from '../provider-network.ts'
import type { RelayedAnswer, RelayedQuestion } from './relayed-source.ts'
import { defined } from '../../../platform/defined.ts'

/**
 * Asks a provider for a process without network access, and writes the unread body to the file `path`. Rejects with an
 * error of the file system, or with the signal's reason.
 */
export async function answerRelayed (network: ProviderNetwork, { id, baseUrl, ...question }: RelayedQuestion,
  { path, tenant, signal }: { path: string, tenant: string, signal: AbortSignal }): Promise<RelayedAnswer> {
  const source = network.source(id, baseUrl)
  // A path without a leading slash could turn the address into that of another host.
  if (source === undefined || !question.path.startsWith('/')) {
    throw new Error('a provider is asked that the operator does not have')
  }
  const keep = async (body: Buffer) => {
    await writeFile(path, body, { mode: 0o600 })
  }
  try {
    const { value, fetchedAtMs } = await source.get({ ...question, read: (body) => body, tenant, signal })
    await keep(value)
    return { ok: true, path, fetchedAtMs }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { code, detail, retryAfterMs, answer } = error
    if (answer !== undefined) await keep(answer.body)
    return {
      ok: false,
      code,
      ...defined({ detail, retryAfterMs }),
      ...(answer === undefined ? {} : { refusal: { status: answer.status, path } })
    }
  }
}
