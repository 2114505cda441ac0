/** Phrases for the time column, groups and totals. */
export const columns = String.raw`
time_column 0.9: time|date|timestamp|datetime column|axis|index|field|is|\:|\=|in|called|named*3 <time> ; (based on |
  according to | use|using|by|over|along|in | ordered|indexed by) the? <time>
time_column 1: <time> as|is|for|be the|a|our? time|date|timestamp|datetime column|axis|index|field?
@by by|per|each|every|individual|across|at|on | for each|every|all|individual | split by|into | split | broken|break
  it? down|out by | breakdown by | grouped|group|grouping|aggregated|aggregate|segmented|segment|separated by |
  separately|separate by|for
@eachof level|basis|granularity|grain|wise
grouping=none 1: not|no|dont|without|never split|group|grouped|break|broken? @by <groups> @eachof?
grouping 1: !<(not|no|dont|without|never) by|per|each|every|individual (unique|distinct|possible|single? combination+|
  pair+|pairing+ of)? <groups> @eachof? ; !<(not|no|dont|without|never) for each|every|individual (unique|distinct|
  possible|single? combination+|pair+|pairing+ of)? <groups> @eachof? ; split|broken|break|grouped|group|grouping|
  aggregated|aggregate|segmented|segment|separated|breakdown|separately|separate it|down|out|forecast*2 by|into|for
  each|every? <groups> @eachof? ; split <groups> ; for|all|each|every? all? (unique|distinct|possible|single?
  combination+|pair+|pairing+ of) <groups> @eachof? ; at|on <groups> @eachof ; for each|every? <groups> each|every|
  separately
grouping 0.9: <groups> level|wise|specific|separately
none 0.7: across <groups> !>(@eachof) ; for all <groups> !>(@eachof)
series 0.9: (per|each|every|by | by each | for each|every) <thing>
@everywhere whole|entire|total company|business|group|portfolio|organisation|organization|network|chain|site|system|
  country|market
@adding add|adding|added|sum|summing|summed|total|totals|totalled|totaled|lump|lumped|aggregate|aggregated|roll|
  rolled|combine|combined|overall|altogether|pooled up|together?
@nothings negative|missing|value|numbers|figures|up|data|row|rows|column|columns|gap|gaps|,|\:|\)|<known>
@together lumped|taken|added|put|rolled|thrown|bundled|pooled|merged|grouped together|up|into? one? | together|
  combined|summed|altogether|aggregated | in total | as one
grand_total 0.95: for|of|over|across|in the|our? @everywhere ; company|group|network|chain|system|business|
  organisation|organization|fleet|enterprise|portfolio|nation|country|estate wide ; (total|totals|overall) for|of|
  over|across the|our? company|business|group|portfolio|organisation|organization|network|chain ; @adding over|across|
  of? all|every of? the|our|these|those? (<series> | %nothings) ; =<(@adding %clause*4) over|across|for|of|from all|
  every of? the|our? <series> ; =<(@adding %clause*2) over|across the|our|my? <serieses> ; all|both of? the|our?
  <series> @together
grand_total=values 0.95: (added|add|adding|summed|sum up | summed|sum|summing|totalled|totaled|combined|aggregated |
  added together) over|across <values>
`
