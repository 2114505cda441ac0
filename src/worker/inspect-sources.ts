import { ConnectorError } from '../connectors/connector-error.ts'
import type { Inspect } from '../connectors/connector.ts'
import { contentFailure } from '../connectors/content-failure.ts'
import { inspectDataset } from './inspect-dataset.ts'
import type { QuickSlots } from './quick-slots.ts'
import type { RunContext } from './run-context.ts'

/** How connectors have files inspected: in the slots of content checks, in turn with them. */
export function inspectSources (context: RunContext, slots: QuickSlots): Inspect {
  return async ({ paths, format, compression, dataset, limits }) => {
    const end = await inspectDataset(context, slots, { inputPaths: paths, format, compression, ...dataset, limits: { ...limits, stopAfter: null } })
    if (end === undefined) throw new ConnectorError('RATE_LIMITED')
    if (end.ok) return end.result
    throw new ConnectorError('error' in end ? contentFailure(end.error) : 'INTERNAL_ERROR')
  }
}
