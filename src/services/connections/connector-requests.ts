import type { ConnectorResults } from '../../domain/connector-results.ts'
import { messageVersion as v } from '../../domain/message-version.ts'
import { TabcastError } from '../../platform/errors.ts'
import { QueueError, type ApiQueue } from '../../platform/queue/index.ts'
import type { QuickConnectorRequest } from '../../platform/queue/quick-messages.ts'
import { ConnectorError } from '../../sources/connectors/connector-error.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'

type Operation = keyof ConnectorResults
type RequestOf<O extends Operation> = Omit<Extract<QuickConnectorRequest, { operation: O }>, 'v' | 'budgetMs'>

/** Time limits of the operations. A validation also reads and computes. */
const budgetsMs: Record<Operation, number> = { test: 60_000, list: 60_000, validate: 180_000 }
/** Time for the way there and back, and for a worker that is slow to give up. */
const graceMs = 5_000

/**
 * Asks a worker to do something with a customer's store, because only workers hold opened secrets. Rejects with a
 * ConnectorError, or with compute_unavailable or server_overloaded when no worker did anything.
 */
export async function askConnector<O extends Operation> (
  { queue, budgets }: { queue: ApiQueue, budgets: Pick<CpuBudgets, 'spend'> },
  request: RequestOf<O>
): Promise<ConnectorResults[O]> {
  const budgetMs = budgetsMs[request.operation as Operation]
  const reply = await queue.quickConnector({ v, budgetMs, ...request } as QuickConnectorRequest, budgetMs + graceMs)
    .catch((cause: unknown) => {
      if (cause instanceof QueueError) throw new TabcastError('compute_unavailable', undefined, { cause })
      throw cause
    })
  budgets.spend(request.connection.tenant, 'inspect', reply.cpuMs)
  if (reply.ok) return reply.result as ConnectorResults[O]
  if ('busy' in reply) throw new TabcastError('server_overloaded', 'Too many connections are being used at the moment.')
  throw new ConnectorError(reply.error)
}
