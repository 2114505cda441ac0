import { ConnectorError } from '../sources/connectors/connector-error.ts'
import type { Inspect } from '../sources/connectors/connector.ts'
import { contentFailure } from '../sources/connectors/content-failure.ts'
import { inspectDataset } from './inspect-dataset.ts'
import type { QuickSlots } from './quick-slots.ts'

/** Makes the inspection function for one request of a tenant; `spend` receives the processor time that it uses. */
export type InspectFor = (tenant: string, spend: (cpuMs: number) => void) => Inspect

/** Inspects the files of connectors in the slots of content checks, in turn with them. */
export function inspectSources (slots: QuickSlots): InspectFor {
  return (tenant, spend) =>
  async ({ paths, format, compression, dataset: { columns, hierarchy = null, freq }, limits }) => {
    const end = await inspectDataset(slots, tenant, {
      inputPaths: paths,
      format,
      compression,
      columns,
      hierarchy,
      freq,
      limits
    })
    if (end === undefined) throw new ConnectorError('RATE_LIMITED')
    spend(end.cpuMs)
    if (end.ok) return end.result
    throw new ConnectorError('error' in end ? contentFailure(end.error) : 'INTERNAL_ERROR')
  }
}
