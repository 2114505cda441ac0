import type { Bench } from '../bench.ts'
import { preparePython } from '../peers/python.ts'
import { measureFleet } from './fleet.ts'
import { measureSmallBeside } from './small-beside.ts'
import { measureStages } from './stages.ts'
import { measureTenants } from './tenants.ts'
import { measureWorkers } from './workers.ts'

/** One job on several workers, and what large jobs and many jobs do to everybody else. */
export const benchScale: Bench = async (options) => {
  const python = preparePython(options.log)
  return [
    ...await measureFleet(options),
    ...await measureSmallBeside(options),
    ...await measureTenants(options),
    ...await measureWorkers(options, python),
    ...await measureStages(options, python)
  ]
}
