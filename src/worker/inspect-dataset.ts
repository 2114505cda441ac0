import type { InspectOptions } from '../domain/engine-documents.ts'
import type { Metered, QuickEnd, QuickSlots } from './quick-slots.ts'

/** The facts that a caller has about a dataset in the worker's scratch folder. */
export type Inspectable = Omit<InspectOptions, 'threads'>

/**
 * Inspects a dataset in a quick slot, in turn with content checks; undefined: busy. Fetch the file first: others need
 * the slot while a store is slow. The file stays where it is.
 */
export async function inspectDataset (slots: QuickSlots, tenant: string,
  dataset: Inspectable): Promise<(QuickEnd<'inspect'> & Metered) | undefined> {
  return await slots.use(tenant, async (run) => await run({ kind: 'inspect', ...dataset, threads: slots.threads }))
}
