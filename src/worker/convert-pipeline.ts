import type { ResultFile, TableFormat } from '../domain/files.ts'
import { convertTable, type EngineTask } from '../engine/index.ts'
import { csvType, describeFile, jsonLinesType, jsonType } from './describe-file.ts'
import type { ConvertTask } from './slot-messages.ts'

const contentTypes: Readonly<Record<TableFormat, string>> = { csv: csvType, json: jsonType, jsonl: jsonLinesType }

/**
 * Runs in a slot process: writes the forecast table in another format. A CSV has the same bytes that the forecast
 * itself would have written.
 */
export async function runConvert ({ kind, ...options }: ConvertTask, engineTask: EngineTask): Promise<ResultFile> {
  await convertTable(options, engineTask)
  return await describeFile(options.path, contentTypes[options.format])
}
