import { curlCommand } from './curl-command.ts'
import { byId } from './elements.ts'
import type { Wish } from './job-form.ts'
import { settings } from './page-settings.ts'
import { Problem } from './problem.ts'
import { ask, type Job } from './service.ts'

const retryMs = 2_000

/**
 * Shows the result of a completed job. The plot and the report contain texts from a file, so their frames are isolated
 * from this page.
 */
export async function showResult (job: Job, { kind, file, fields }: Wish): Promise<void> {
  const { job_id: jobId, elapsed_seconds: seconds, warnings } = job
  const asked = [fetchPage('plot', job.forecast_plot_url ?? null), fetchPage('report', job.report_url)] as const
  const [plot, report] = await Promise.all(asked)
  const time = `${(seconds ?? 0).toFixed(1)} seconds`
  byId('summary').textContent = `Done in ${time}. File and result are deleted in ${settings.kept}.`
  const said = (warnings ?? []).map(({ message }) => message)
  const texts = [plot.missing, report.missing, ...said].filter((text) => text !== null)
  const items = texts.map((textContent) => Object.assign(document.createElement('li'), { textContent }))
  byId('warnings').replaceChildren(...items)
  byId('curl').textContent = curlCommand(settings.baseUrl, kind, file.name,
    fields.filter(([name]) => name !== 'presets'))
  byId('download').onclick = () => {
    void save(jobId)
  }
  byId('result').hidden = false
  // Only now do the frames have a size; a plot that is drawn while hidden stays empty.
  fill('plot', plot.text)
  fill('report', report.text)
  byId('result').focus()
}

/** `missing`: the text to show in its place. */
interface Page {
  text: string | null
  missing: string | null
}

/** The company has had its job, so the result is shown even when one of its pages cannot be fetched. */
async function fetchPage (name: string, path: string | null): Promise<Page> {
  if (path === null) return { text: null, missing: null }
  const read = async (): Promise<string> => await (await ask(path)).text()
  try {
    const text = await read().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
      return await read()
    })
    return { text, missing: null }
  } catch (error) {
    const reason = error instanceof Problem ? ` ${error.message}` : ''
    return { text: null, missing: `The ${name} is not shown, as it could not be fetched.${reason}` }
  }
}

function fill (id: string, text: string | null): void {
  const frame = byId<HTMLIFrameElement>(id)
  frame.hidden = text === null
  frame.srcdoc = text ?? ''
}

async function save (jobId: string): Promise<void> {
  const address = URL.createObjectURL(await (await ask(`/jobs/${jobId}/download?format=csv`)).blob())
  Object.assign(document.createElement('a'), { href: address, download: `${jobId}.csv` }).click()
  URL.revokeObjectURL(address)
}
