import t from 'tap'
import { startChromium, whyNoChromium } from '../support/chromium.ts'
import { panelCsv, startService } from '../support/service.ts'

t.test('requests that are tried as they stand', { skip: whyNoChromium() }, async (t) => {
  const service = await startService()
  const browser = await startChromium()
  t.teardown(async () => {
    await browser.close()
    await service.cleanup()
  })
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${service.baseUrl}/docs/api`)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.modal-ux input').fill(await service.createKey('acme'))
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click()

  /** What the service answers to the operation, with a file where it takes one. */
  const send = async (method: string, path: string, csv?: string): Promise<{ status: number, text: string }> => {
    const operation = page.locator(`.opblock-${method}`, {
      has: page.locator(`.opblock-summary-path[data-path="${path}"]`)
    })
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    if (csv !== undefined) {
      const buffer = Buffer.from(csv)
      await operation.locator('input[type=file]').setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer })
    }
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = await answered
    return { status: answer.status(), text: await answer.text() }
  }

  const forecast = await send('post', '/forecast', panelCsv(2, 48))
  t.equal(forecast.status, 202, forecast.text)
  for (const [method, path, status] of [['post', '/estimate/runtime', 200], ['post', '/storage/uploads/presign', 200], [
    'get',
    '/jobs',
    200
  ], ['get', '/health', 200]] as const) {
    const answer = await send(method, path)
    t.equal(answer.status, status, `${path}: ${answer.text}`)
  }
})
