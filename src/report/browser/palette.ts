import type { LayerKind } from '../plot/layers.ts'

/** Colours as the style of the page has them, in the scheme that is on. */
export interface Palette { page: string, text: string, soft: string, line: string, forecast: string, tested: string, band: number }

export function readPalette (): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return { page: read('page'), text: read('text'), soft: read('soft'), line: read('line'), forecast: read('forecast'), tested: read('tested'), band: Number(read('band')) }
}

export interface Look { stroke: string, width: number, dash: number[] }

/** Lines differ in their dashes too, not in their colour alone. */
export function lookOf (kind: LayerKind, { text, forecast, tested }: Palette): Look {
  return {
    history: { stroke: text, width: 1.5, dash: [] },
    mean: { stroke: forecast, width: 2.5, dash: [] },
    median: { stroke: forecast, width: 1.5, dash: [3, 3] },
    quantile: { stroke: forecast, width: 1, dash: [1, 3] },
    backtest: { stroke: tested, width: 2, dash: [7, 4] },
    band: { stroke: forecast, width: 1, dash: [] },
    'backtest-band': { stroke: tested, width: 1, dash: [7, 4] }
  }[kind]
}
