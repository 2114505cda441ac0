const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** History, a bar, then the forecast, on one scale from the smallest to the largest value. */
export function sparkline (history: number[], forecast: number[]): string {
  const shown = [...history, ...forecast].filter(Number.isFinite)
  const low = Math.min(...shown)
  const span = Math.max(...shown) - low || 1
  const draw = (values: number[]) =>
    values
      .map((value) => Number.isFinite(value) ? bars[Math.round((value - low) / span * (bars.length - 1))] : ' ')
      .join('')
  return `${draw(history)}│${draw(forecast)}`
}
