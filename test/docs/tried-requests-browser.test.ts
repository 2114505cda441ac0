import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startChromium, whyNoChromium } from '../support/chromium.ts'
import { panelCsv, startService } from '../support/service.ts'

t.test('requests that are tried on the page of the API', { skip: whyNoChromium() }, async (t) => {
  const service = await startService()
  const browser = await startChromium()
  t.teardown(async () => {
    await browser.close()
    await service.cleanup()
  })
  const page = await (await browser.newContext()).newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  await page.goto(`${service.baseUrl}/docs/api`)
  t.equal(new URL(page.url()).pathname, '/docs/reference/api')

  const open = async (route: string): Promise<Locator> => await openForm(page, route)
  const csv = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(panelCsv(2, 48)) })

  const forecast = await open('POST /forecast')
  await forecast.getByLabel('API key').fill(await service.createKey('acme'))
  await forecast.getByLabel('file (required)').setInputFiles(csv('sales.csv'))
  t.match(await forecast.getByLabel('The same as a command').innerText(),
    'curl -H "$AUTH" -F file=@sales.csv -F prediction_length=12 -F quantile_levels=0.1,0.9 $API/forecast')
  const accepted = await answerOf(forecast)
  t.equal(accepted.status, 202, accepted.text)
  const { job_id: id } = JSON.parse(accepted.text) as { job_id: string }

  t.test('as they stand, each with the key that was typed once', async (t) => {
    for (const [route, status] of [['POST /estimate/runtime', 200], ['POST /storage/uploads/presign', 200], [
      'GET /jobs',
      200
    ], ['GET /health', 200]] as const) {
      const answer = await answerOf(await open(route))
      t.equal(answer.status, status, `${route}: ${answer.text}`)
    }
  })

  t.test('fields of the path and of the query are sent, and a file is saved', async (t) => {
    const job = await open('GET /jobs/{job_id}')
    await job.getByLabel('job_id (required)').fill(id)
    await job.getByText('More fields', { exact: true }).click()
    await job.getByLabel('wait').fill('30')
    const ended = await answerOf(job)
    t.match(JSON.parse(ended.text), { job_id: id, status: 'completed' })
    const download = await open('GET /jobs/{job_id}/download')
    await download.getByLabel('job_id (required)').fill(id)
    await download.getByText('More fields', { exact: true }).click()
    await download.getByLabel('format').selectOption('csv')
    await answerOf(download)
    const saving = page.waitForEvent('download')
    await download.getByRole('link', { name: /^Save / }).click()
    t.match(readFileSync(await (await saving).path(), 'utf8'), /^item_id,timestamp,mean/)
  })

  t.test('events are shown as they come', async (t) => {
    const running = await open('GET /jobs/{job_id}/events')
    await running.getByLabel('job_id (required)').fill(id)
    await running.getByRole('button', { name: 'Send' }).click()
    await running.getByLabel('Body of the answer').getByText('event: state').waitFor()
    t.pass()
  })

  t.test('a request that takes too long is stopped', async (t) => {
    await page.route('**/models', () => {})
    const form = await open('GET /models')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByRole('button', { name: 'Stop' }).click()
    await form.getByText('Stopped.').waitFor()
    t.ok(await form.getByRole('button', { name: 'Send' }).isEnabled())
  })

  t.test('a refusal is shown, and what was typed stays', async (t) => {
    const intent = await open('POST /storage/uploads/presign')
    await intent.getByLabel('Body', { exact: true }).fill('{"filename":')
    const refused = await answerOf(intent)
    t.equal(refused.status, 400, refused.text)
    t.equal(await intent.getByLabel('Body', { exact: true }).inputValue(), '{"filename":')
    await intent.getByLabel('Body of the answer').getByText('"error_code"').waitFor()
  })

  t.test('fields are explained down to the innermost', async (t) => {
    await forecast.getByText('More fields', { exact: true }).click()
    const field = forecast.locator('.field', { has: page.locator('label', { hasText: /^preparation$/ }) })
    await field.getByText('Fields of preparation', { exact: true }).click()
    await field.getByText('Fields of filters', { exact: true }).click()
    await field.getByText('eq | ne | in', { exact: false }).waitFor()
    t.pass()
  })

  t.test('a route that the service does not offer', async (t) => {
    const sandbox = page.locator('h4', { hasText: /^GET \/sandbox\/challenge/ }).locator('~ details').first()
    await sandbox.locator('summary').click()
    await sandbox.getByText('This service does not offer the route').waitFor()
    t.pass()
  })

  t.test('without the service: says so, and tries again', async (t) => {
    const other = await (await browser.newContext()).newPage()
    await other.goto(`${service.baseUrl}/docs/reference/api`)
    await other.route('**/openapi.json', async (route) => await route.abort())
    const form = other.locator('h4', { hasText: /^GET \/limits/ }).locator('~ details').first()
    await form.locator('summary').first().click()
    await form.getByText('cannot be loaded').waitFor()
    await other.unroute('**/openapi.json')
    await form.locator('summary').first().click()
    await form.locator('summary').first().click()
    await other.route('**/limits', async (route) => await route.abort())
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('The browser got no answer').waitFor()
    t.pass()
  })
  t.strictSame(troubles, [])
})

async function openForm (page: Page, route: string): Promise<Locator> {
  const heading = page.getByRole('heading', { level: 4 }).filter({
    has: page.locator('code', { hasText: exactly(route) })
  })
  const details = heading.locator('~ details').first()
  if (await details.getAttribute('open') === null) await details.locator('summary').first().click()
  const form = details.getByRole('form')
  await form.waitFor()
  return form
}

function exactly (text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[{}/.]/g, '\\$&')}$`)
}

/** What the service answers, and the page has shown. */
async function answerOf (form: Locator): Promise<{ status: number, text: string }> {
  const answered = form.page().waitForResponse((response) => response.request().resourceType() === 'fetch')
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = await answered
  await form.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  const shown = form.getByRole('status', { name: 'Answer' })
  await shown.getByText(String(answer.status())).first().waitFor()
  const body = shown.getByLabel('Body of the answer')
  return { status: answer.status(), text: await body.count() === 0 ? '' : await body.innerText() }
}
