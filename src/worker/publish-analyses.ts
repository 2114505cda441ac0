import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExplainabilityOutcome, ExplainabilitySpec } from '../domain/explainability-spec.ts'
import type { ResultFile } from '../domain/files.ts'
import { explainabilityFolder } from '../platform/store/keys.ts'
import type { AnalysesDocument } from '../report/analyses/analyses-document.ts'
import { failedDocument, renderOrSkip, type AnalysesOf } from '../report/analyses/render-or-skip.ts'
import { csvType, describeFile, htmlType, jsonType, svgType } from './describe-file.ts'

/** The folder of the engine's analyses, and the analyses that the job asked for. */
export interface AskedAnalyses {
  folder: string
  spec: ExplainabilitySpec
  of: AnalysesOf
}

export interface FoundAnalyses extends AskedAnalyses {
  document: AnalysesDocument
}

export interface PublishedAnalyses {
  outcome: ExplainabilityOutcome
  files: ResultFile[]
}

const contentTypes = { csv: csvType, html: htmlType, svg: svgType, json: jsonType }

/** Reads the engine's document of analyses. If it cannot be read, returns one in which all have failed. */
export async function readAnalyses (asked: AskedAnalyses): Promise<FoundAnalyses> {
  const { folder, spec, of } = asked
  try {
    return { ...asked, document: await readJson<AnalysesDocument>(folder, 'analyses.json') }
  } catch (cause) {
    return { ...asked, document: failedDocument(of, spec.analyses, cause) }
  }
}

/**
 * Makes pages, drawings and the record of the analyses in `folder`, after `draw` has added its own drawings. Never
 * rejects: an analysis that cannot be shown is marked as skipped (`failed`), with a warning.
 */
export async function publishAnalyses (found: FoundAnalyses, explanationKeys?: unknown,
  draw: (found: FoundAnalyses) => Promise<AnalysesDocument> = async ({ document }) => document
): Promise<PublishedAnalyses> {
  try {
    return await published({ ...found, document: await draw(found) }, explanationKeys)
  } catch (cause) {
    // None of the analyses can be shown: the document has another shape, or there is no space for the files.
    const { skipped, warnings } = failedDocument(found.of, found.spec.analyses, cause)
    return { outcome: { overviewMarkdown: '', completed: [], skipped, warnings, artifacts: [] }, files: [] }
  }
}

async function published ({ folder, spec, document }: FoundAnalyses,
  explanationKeys: unknown): Promise<PublishedAnalyses> {
  const sizes: Record<string, number> = {}
  for (const name of await readdir(folder)) sizes[name] = (await stat(join(folder, name))).size
  const { outcome, files } = renderOrSkip({ document, files: sizes, topFeatures: spec.topKFeatures, explanationKeys })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const described: ResultFile[] = []
  for (const { name, format } of [...outcome.artifacts, { name: 'summary.json', format: 'json' } as const]) {
    described.push({
      ...await describeFile(join(folder, name), contentTypes[format]),
      name: `${explainabilityFolder}/${name}`
    })
  }
  return { outcome, files: described }
}

export async function readJson<T> (folder: string, name: string): Promise<T> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as T
}
