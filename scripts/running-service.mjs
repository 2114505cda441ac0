/*
 * What the scripts that try a package share: a file to forecast, the address of a service, and its client. Imports
 * nothing but Node.js.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/** CSV of so many series of as many months, the same at each call. */
export function monthlySales (series, months) {
  const lines = ['item_id,timestamp,target']
  for (let item = 0; item < series; item++) {
    for (let month = 0; month < months; month++) {
      const stamp = new Date(Date.UTC(2018, month, 1)).toISOString().slice(0, 10)
      lines.push(
        `shop-${item},${stamp},${(100 + 20 * item + 0.4 * month + 15 * Math.sin(Math.PI * month / 6)).toFixed(3)}`
      )
    }
  }
  return lines.join('\n') + '\n'
}

/** The address of a service, from the line that says that it listens. */
export async function address (service) {
  const lines = createInterface({ input: service.stdout })
  const ended = once(service, 'exit').then(([code]) => {
    throw new Error(`the service ended with exit code ${code}`)
  })
  const listens = once(lines, 'line').then(([line]) =>
    /^tabcast serves (http:[^\s,]+)(?:,|$)/.exec(line)?.[1] ?? Promise.reject(new Error(line))
  )
  return await Promise.race([listens, ended])
}

export function check (name, found, expected) {
  if (found !== expected) throw new Error(`${name}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`)
}

/**
 * The calls that a trial makes. `patience`: how many seconds a service that has just started may say that it has no
 * worker yet.
 */
export function client (baseUrl, key, patience = 0) {
  const call = async (path, init = {}, left = patience) => {
    const answer = await fetch(baseUrl + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` }
    })
    if (answer.status === 503 && left > 0) {
      await setTimeout(1_000)
      return await call(path, init, left - 1)
    }
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  return {
    job: async (id) => await (await call(`/jobs/${id}`)).json(),
    download: async (id) => await (await call(`/jobs/${id}/download?format=csv`)).text(),
    /** The answer to the upload: a job that is not done. */
    submit: async (csv, fields, headers = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      form.append('file', new Blob([csv]), 'sales.csv')
      return await (await call('/forecast', { method: 'POST', body: form, headers })).json()
    },
    completed: async (id) => {
      let job
      do job = await (await call(`/jobs/${id}?wait=30`)).json()
      while (job.status === 'pending' || job.status === 'running')
      if (job.status !== 'completed') {
        throw new Error(`job ${id} ended as ${job.status}: ${job.error_code} ${job.error}`)
      }
      return job
    }
  }
}
