import type { InspectOptions } from '../domain/engine-documents.ts'
import type { Metered, QuickEnd, QuickSlots } from './quick-slots.ts'

/** What the caller knows of a dataset that lies in the worker's scratch folder. */
export type Inspectable = Omit<InspectOptions, 'threads'>

/**
 * Inspects a dataset in a quick slot, in turn with content checks; undefined: busy. Fetch the file first, because a
 * slot that waits for a store is missing to the others. The file stays where it is.
 */
export async function inspectDataset (slots: QuickSlots, tenant: string,
  dataset: Inspectable): Promise<(QuickEnd<'inspect'> & Metered) | undefined> {
  return await slots.use(tenant, async (run) => await run({ kind: 'inspect', ...dataset, threads: slots.threads }))
}
