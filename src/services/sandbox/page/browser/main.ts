import { renewCaptcha, solveCaptcha } from './captcha.ts'
import { byId } from './elements.ts'
import { JobForm, type Wish } from './job-form.ts'
import { Problem } from './problem.ts'
import { showResult } from './result-view.ts'
import { ask, follow, type Job } from './service.ts'

const form = new JobForm()

form.element.addEventListener('submit', (event) => {
  event.preventDefault()
  byId('problem').hidden = true
  const wish = form.read()
  if (wish !== null) void run(wish)
})
byId('copy').addEventListener('click', () => {
  void navigator.clipboard.writeText(byId('curl').textContent ?? '').then(() => say('The command is copied.'))
})

async function run (wish: Wish): Promise<void> {
  form.setBusy(true)
  for (const id of ['problem', 'result']) byId(id).hidden = true
  byId('progress').hidden = false
  try {
    say('Checking that you are not a program ...')
    const token = await solveCaptcha(form.element)
    say('Sending your file ...')
    const { job_id: jobId } = await submit(wish, token)
    const job = await follow(jobId, (news) => say(stateOf(news)))
    if (job.status === 'failed') throw new Problem(`The job failed. ${job.error ?? ''}`)
    say('Done.')
    await showResult(job, wish)
  } catch (error) {
    report(error)
  } finally {
    form.setBusy(false)
    byId('bar').hidden = true
    renewCaptcha()
  }
}

async function submit ({ kind, file, email, fields }: Wish, token: string): Promise<Job> {
  const body = new FormData()
  body.append('email', email)
  body.append('captcha_token', token)
  for (const [name, value] of fields) body.append(name, value)
  body.append('file', file)
  return await (await ask(`/sandbox/${kind}`, { method: 'POST', body })).json() as Job
}

function say (text: string): void {
  byId('state').textContent = text
  byId('bar').hidden = !text.endsWith('...')
}

function stateOf ({ status, progress }: Job): string {
  const before = progress?.queue_position ?? null
  if (status === 'pending' || before !== null) {
    return `Your job waits for its turn${before === null ? '' : `, ${before} before it`} ...`
  }
  return status === 'running' ? 'Your job is computed ...' : 'Your job has ended.'
}

/** Shows a problem in its own line, which gets the focus so that screen readers read it, and at its fields. */
function report (error: unknown): void {
  const text = 'Something went wrong in this page. Please load it again.'
  const problem = error instanceof Problem ? error : new Problem(text)
  byId('progress').hidden = true
  form.show(problem)
  const place = byId('problem')
  place.textContent = problem.message
  place.hidden = false
  place.focus()
  if (problem !== error) throw error
}
