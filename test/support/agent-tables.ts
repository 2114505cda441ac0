/* Tables as people send them, that the agent is asked about. */

const day = (from: string, at: number): string =>
  new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10)
const month = (at: number): string => new Date(Date.UTC(2022, at)).toISOString().slice(0, 10)
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const table = (header: string, rows: string[]): string => `${header}\n${rows.join('\n')}\n`

/** Prices with a decimal comma, which are text; hotels of two regions. */
export const hotels = table('Date;Hotel;Region;Rooms Sold;ADR EUR;Category',
  ['Alpen,South', 'Berg,South', 'See,West'].flatMap((names, hotel) =>
    range(200).map((at) =>
      `${day('2024-01-01', at)};${names.replace(',', ';')};${
        50 + 7 * hotel + (at * (3 + hotel)) % 11 + 10 * (at % 7)
      };${80 + (at * 7) % 13},${10 + (at * 13) % 90};${at % 3 === 0 ? 'high' : 'low'}`
    )
  ))

/** Shops with a target that is called so, and marks of 0 and 1. */
export const shops = table(
  'item_id,timestamp,target,open,promo,schoolholiday,store_type,IsHoliday,Temperature,MarkDown1,MarkDown2,MarkDown3,CPI',
  range(4).flatMap((shop) =>
    range(154).map((at) =>
      [
        `1_${shop + 1}`,
        day('2024-01-01', at),
        at < 140 ? 100 + 20 * shop + 15 * (at % 7) + (at * (5 + shop)) % 13 : '',
        at % 7 === 6 ? 0 : 1,
        Math.floor(at / 7) % 2,
        at % 30 < 5 ? 1 : 0,
        shop < 2 ? 'a' : 'b',
        at % 50 === 0 ? 1 : 0,
        5 + (at * 3) % 17,
        (at * 11) % 40,
        (at * 7) % 30,
        (at * 3) % 50,
        200 + at / 10
      ].join()
    )
  )
)

/** One column of amounts for all accounts. */
export const ledger = table('month,cost_center,account,amount_eur',
  ['CC100', 'CC200', 'CC300'].flatMap((center, at) =>
    ['Revenue', 'Opex', 'Capex'].flatMap((account, kind) =>
      range(48).map((step) =>
        `${month(step)},${center},${account},${1000 + 300 * kind + 50 * at + 10 * step + (step * (7 + kind)) % 12 * 20}`
      )
    )
  ))

/** What was and what was meant to be. */
export const budget = table('month,unit,amount_eur,budget_eur',
  ['A', 'B'].flatMap((unit, at) =>
    range(48).map((step) =>
      `${month(step)},${unit},${900 + 100 * at + (step * 7) % 12 * 30 + 5 * step},${1000 + 10 * step}`
    )
  ))

/** Loads of substations by the hour. */
export const grid = table('timestamp,substation,load_kw,temperature',
  range(3).flatMap((station) =>
    range(480).map((at) =>
      `${new Date(Date.UTC(2025, 2, 1, at)).toISOString().slice(0, 19)}Z,sub_0${station + 1},${
        100 + 20 * station + 10 * (at % 24) + (at * 5) % 9
      },${5 + (at * 3) % 17}`
    )
  ))
