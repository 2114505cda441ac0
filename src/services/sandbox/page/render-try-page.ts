import { createHash } from 'node:crypto'
import { withoutTrailingSlash } from '../../../platform/without-trailing-slash.ts'
import { html, Html } from '../../../report/html.ts'
import { plotScript } from '../../../report/plot/plot-script.ts'
import { style } from '../../../report/style.ts'
import type { CaptchaDriver } from '../captcha/captcha.ts'
import { tryStyle } from './try-style.ts'

export interface TryPage {
  /** A key with the scope sandbox; null when none works, which the page then says. */
  key: string | null
  /** Where clients reach the service, without a trailing slash; empty: unknown. */
  baseUrl: string
  driver: CaptchaDriver
  /** For turnstile and hcaptcha. */
  siteKey: string
  limits: TryLimits
}

/** The sandbox's limits for one job. */
export interface TryLimits {
  fileBytes: number
  rows: number
  columns: number
  series: number
  horizon: number
  /** For one address. */
  postsPerHour: number
  retentionSeconds: number
}

/** The captcha services' scripts, and the origins of their frames. */
const services = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    sources: 'https://challenges.cloudflare.com',
    name: 'cf-turnstile'
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    sources: 'https://hcaptcha.com https://*.hcaptcha.com',
    name: 'h-captcha'
  }
} as const

const notSetUp = 'This page is not set up at the moment: whoever runs the service has to give it a key that works.'

/** The page where a visitor tries the service. Everything in it is public. */
export function renderTryPage (page: TryPage): string {
  const { key, baseUrl, driver } = page
  const prefix = prefixOf(baseUrl)
  const service = serviceOf(driver)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try tabcast</title>
${Html.raw('style', style + tryStyle)}
${key === null ? null : html`<script src="${prefix}/try/main.js" defer></script>`}
${key === null || service === null ? null : html`<script src="${service.script}" async defer></script>`}
</head>
<body>
<header><h1>Try it with data of your own</h1>
<p>${terms(page.limits)}</p></header>
<main>
${key === null ? html`<p class="verdict">${notSetUp}</p>` : renderForm(page)}
</main>
${key === null ? null : Html.json('settings', { key, prefix, baseUrl, driver, kept: keptFor(page.limits) })}
</body>
</html>
`.toString()
}

/**
 * The page makes the frames of plot and report itself, so its policy applies in them too: it allows styles, and the
 * plot's script by its hash. `ancestors`: origins of pages that may frame it.
 */
export function tryPagePolicy (driver: CaptchaDriver, ancestors: readonly string[]): string {
  const service = serviceOf(driver)
  const more = service === null ? '' : ` ${service.sources}`
  const plot = `'sha256-${createHash('sha256').update(plotScript()).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src 'self' ${plot}${more}`,
    `style-src 'unsafe-inline'${more}`,
    `connect-src 'self'${more}`,
    "worker-src 'self'",
    `frame-src 'self'${more}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`
  ].join('; ')
}

function serviceOf (driver: CaptchaDriver): typeof services[keyof typeof services] | null {
  return driver === 'turnstile' || driver === 'hcaptcha' ? services[driver] : null
}

/** A proxy may serve the service below a path. */
function prefixOf (baseUrl: string): string {
  return baseUrl === '' ? '' : withoutTrailingSlash(new URL(baseUrl).pathname)
}

function terms ({ fileBytes, rows, columns, series, horizon, postsPerHour, retentionSeconds }: TryLimits): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const kept = keptFor({ retentionSeconds })
  return [
    'One job for each company, without an account.',
    `A file may have ${sizeOf(fileBytes)}, ${number(rows)} rows, ${columns} columns and ${series} series;`,
    `a forecast goes ${horizon} steps ahead.`,
    `An address has ${number(postsPerHour)} tries an hour, those that are refused included.`,
    `File and result are deleted ${kept} after the job; of your address a digest of its domain is kept.`
  ].join(' ')
}

function sizeOf (bytes: number): string {
  return bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${Math.floor(bytes / 2 ** 10)} KiB`
}

/** In whole hours or minutes. */
function keptFor ({ retentionSeconds }: Pick<TryLimits, 'retentionSeconds'>): string {
  const minutes = Math.max(1, Math.round(retentionSeconds / 60))
  const [count, unit] = minutes >= 60 ? [Math.round(minutes / 60), 'hour'] : [minutes, 'minute']
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}

function renderForm ({ driver, siteKey, limits }: TryPage): Html {
  const service = serviceOf(driver)
  return html`<noscript><p class="verdict">This page needs JavaScript.</p></noscript>
<form id="job" novalidate>
<fieldset class="kinds"><legend>What do you want of your data?</legend>
${choice('forecast', 'A forecast', 'how series go on', true)}
${choice('classify', 'Classes', 'which label a row has')}
${choice('regress', 'Numbers', 'which value a row has')}
</fieldset>
<div class="field drop" id="drop"><label for="file">Your file</label>
<input type="file" id="file" name="file" accept=".csv,.parquet,.xls,.xlsx" required
aria-describedby="file-hint file-error">
<p class="hint" id="file-hint">CSV, Parquet or Excel with a header; choose it or drop it here.</p>${wrong('file')}</div>
<datalist id="columns"></datalist>
<fieldset id="forecast-options"><legend>Columns of the file</legend>
${column('timestamp_column', 'Time', 'timestamp')}
${column('target_column', 'Values to forecast', 'target')}
${column('item_id_column', 'Name of the series', 'item_id', 'Leave it empty if all rows are one series.')}
<div class="field"><label for="prediction_length">Steps ahead</label>
<input type="number" class="option" id="prediction_length" name="prediction_length" value="12" min="1"
max="${limits.horizon}" required aria-describedby="prediction_length-error">${wrong('prediction_length')}</div>
<input type="hidden" class="option" name="presets" value="fast">
</fieldset>
<fieldset id="table-options" hidden disabled><legend>Column of the file</legend>
${column('label_column', 'What is to be predicted', 'target')}
<input type="hidden" class="option" name="inference_mode" value="auto">
</fieldset>
<div class="field"><label for="email">Your address at your company</label>
<input type="email" id="email" name="email" autocomplete="email" maxlength="254" required
aria-describedby="email-hint email-error">
<p class="hint" id="email-hint">Nothing is sent to it.</p>${wrong('email')}</div>
${service === null ? null : html`<div class="${service.name}" data-sitekey="${siteKey}"></div>`}
<p><button type="submit" id="start">Start</button></p>
</form>
<p class="verdict problem" id="problem" role="alert" tabindex="-1" hidden></p>
<div id="progress" hidden><p id="state" role="status"></p>
<progress id="bar" aria-label="The job is under way"></progress></div>
<section id="result" aria-labelledby="result-title" tabindex="-1" hidden><h2 id="result-title">Result</h2>
<p id="summary"></p>
<ul id="warnings"></ul>
<p><button type="button" id="download">Save the table (CSV)</button></p>
<iframe id="plot" title="Plot of the forecast" sandbox="allow-scripts"></iframe>
<iframe id="report" title="Report" sandbox=""></iframe>
<h2>The same from a command line</h2>
<p>With a key of your own, which has no limits of this page:</p>
<pre tabindex="0" aria-label="Command"><code id="curl"></code></pre>
<p><button type="button" id="copy">Copy the command</button></p>
</section>`
}

function choice (value: string, name: string, hint: string, isChosen = false): Html {
  const checked = isChosen ? html` checked` : null
  return html`<label><input type="radio" name="kind" value="${value}"${checked}>
<span>${name}<small>${hint}</small></span></label>`
}

/** `hint`: only for a field that may stay empty. */
function column (name: string, label: string, value: string, hint?: string): Html {
  const described = hint === undefined ? `${name}-error` : `${name}-hint ${name}-error`
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="text" class="option" id="${name}" name="${name}" value="${value}" list="columns" maxlength="200"
${hint === undefined ? html`required` : null} autocomplete="off" spellcheck="false" aria-describedby="${described}">
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}${wrong(name)}</div>`
}

/** Where the error of a field is shown. */
function wrong (name: string): Html {
  return html`<p class="wrong" id="${name}-error"></p>`
}
