import { curlCommand } from './curl-command.ts'
import { byId } from './elements.ts'
import type { Wish } from './job-form.ts'
import { settings } from './page-settings.ts'
import { ask, type Job } from './service.ts'

/** Shows what a completed job has given. Its pages hold texts of a file: their frames have no part in this page. */
export async function showResult (job: Job, { kind, file, fields }: Wish): Promise<void> {
  const { job_id: jobId, elapsed_seconds: seconds, warnings } = job
  await Promise.all([fill('plot', job.forecast_plot_url ?? null), fill('report', job.report_url)])
  const time = `${(seconds ?? 0).toFixed(1)} seconds`
  byId('summary').textContent = `Done in ${time}. File and result are deleted in ${settings.kept}.`
  const texts = (warnings ?? []).map(({ message }) => message)
  const items = texts.map((textContent) => Object.assign(document.createElement('li'), { textContent }))
  byId('warnings').replaceChildren(...items)
  byId('curl').textContent = curlCommand(settings.baseUrl, kind, file.name, fields)
  byId('download').onclick = () => { void save(jobId) }
  byId('result').hidden = false
  byId('result').focus()
}

async function fill (id: string, path: string | null): Promise<void> {
  const frame = byId<HTMLIFrameElement>(id)
  frame.hidden = path === null
  frame.srcdoc = path === null ? '' : await (await ask(path)).text()
}

async function save (jobId: string): Promise<void> {
  const address = URL.createObjectURL(await (await ask(`/jobs/${jobId}/download?format=csv`)).blob())
  Object.assign(document.createElement('a'), { href: address, download: `${jobId}.csv` }).click()
  URL.revokeObjectURL(address)
}
