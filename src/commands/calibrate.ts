import { calibrationJobs, type CalibrationJob } from '../services/estimates/calibration-jobs.ts'
import { ForecastClient } from './forecast-client.ts'

/**
 * `tabcast calibrate`: runs jobs of many sizes one after the other through the service, as a client does, and prints
 * the time of each. Estimates learn from these jobs, which expire like any others.
 */
export async function runCalibrateCommand (
  { baseUrl, key, jobs = calibrationJobs() }: { baseUrl: string, key: string, jobs?: CalibrationJob[] },
  print: (line: string) => void
): Promise<void> {
  const client = new ForecastClient({ baseUrl, key })
  for (const [at, { name, route, fields, csv }] of jobs.entries()) {
    const { job_id: jobId } = await client.submit({
      filename: 'calibration.csv',
      body: new Blob([csv()], { type: 'text/csv' })
    }, { name: 'calibration', ...fields }, route)
    const { timings } = await client.waitForForecast(jobId)
    const seconds = (timings?.['total'] ?? 0) - (timings?.['queue'] ?? 0)
    print(`${String(at + 1).padStart(2)}/${jobs.length}  ${seconds.toFixed(3).padStart(8)} s  ${name}`)
  }
}
