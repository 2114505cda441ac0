import { singular } from '../text/fold.ts'

/**
 * Short forms of words, in the singular, and the words that they stand for; several if people say it in several ways.
 */
const words = `
  qty=quantity, amt=amount, vol=volume, avg=average|mean, cnt=count, num=number, pct=percent|percentage|share, temp=temperature, hum=humidity, precip=precipitation,
  mem=memory, req=request, resp=response, conn=connection, err=error, hol=holiday, promo=promotion, rev=revenue, inv=inventory,
  trx=transaction, txn=transaction, cust=customer, sub=subscriber|subscription, emp=employee, pax=passenger, cons=consumption, gen=generation,
  elec=electricity, util=utilisation|utilization, occ=occupancy, wt=weight, spd=speed, vib=vibration, adm=admission, appt=appointment, dept=department, mgmt=management,
  mktg=marketing, ad=advertising|advert, ads=advertising, gp=gross profit, np=net profit, deliv=delivery, shpt=shipment, acct=account`
/** Short forms of several words. */
const initials = `
  aht=average handling time|average handle time|handling time|handle time, opex=operating expense|operating expenditure|operating cost|operating spend|running cost,
  capex=capital expense|capital expenditure|capital spend|capital cost|investment, cogs=cost of good sold|cost of goods sold|cost of sale,
  ebit=operating profit|operating income|operating result|earning before interest and tax, ebitda=earning before interest tax depreciation and amortisation,
  fte=full time equivalent|headcount|head count, arpu=average revenue per user|revenue per user, aov=average order value|order value|basket value|basket size,
  mrr=monthly recurring revenue|recurring revenue, arr=annual recurring revenue|recurring revenue, gmv=gross merchandise value|gross merchandise volume,
  dau=daily active user|active user, mau=monthly active user|active user, wau=weekly active user|active user, nps=net promoter score,
  adr=average daily rate|average room rate|room rate, revpar=revenue per available room, cpu=processor, gdp=gross domestic product, cpi=consumer price index,
  pv=photovoltaic|solar, rps=request per second, qps=query per second, tps=transaction per second, sla=service level, cac=customer acquisition cost|acquisition cost,
  wip=work in progress, otif=on time in full, oee=overall equipment effectiveness, pnl=profit and loss`

const entries: { short: string, long: string[] }[] = `${words},${initials}`.split(',').flatMap((entry) => {
  const [short = '', longs = ''] = entry.trim().split('=')
  return longs.split('|').map((long) => ({ short: singular(short), long: long.split(' ').map(singular) }))
})
const byShort = new Map<string, typeof entries>()
for (const entry of entries) byShort.set(entry.short, [...byShort.get(entry.short) ?? [], entry])

/** Other spellings of a name, by its words: short forms written out, and words replaced by their short forms. */
export function otherSpellings (parts: readonly string[]): string[][] {
  const others: string[][] = []
  parts.forEach((part, at) => {
    for (const { long } of byShort.get(part) ?? []) {
      others.push([...parts.slice(0, at), ...long, ...parts.slice(at + 1)])
    }
  })
  for (const { short, long } of entries) {
    const at = parts.findIndex((_, index) => long.every((word, offset) => parts[index + offset] === word))
    if (at >= 0) others.push([...parts.slice(0, at), short, ...parts.slice(at + long.length)])
  }
  return others
}
