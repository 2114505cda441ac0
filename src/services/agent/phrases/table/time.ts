/** Phrases for the horizon, the rows to learn from, and the step length. */
export const time = String.raw`
@out ahead|out|forward|horizon|outlook|window|view|look|run|plan|span|stretch|runway|picture|timeframe|hence|onward+|
  forecast|prediction|projection|lookahead|later | time frame | look ahead | from now|today|here | into|in the future
  | in advance | to come | down the road|line | of %mark*4 forecast|prediction|projection|outlook|estimate
@history data|history|histories|record|records|training|observation|actuals
@past last|past|previous|prior|preceding|trailing|recent|latest|earlier
@notahead @past|every|each|per|lag|lags|rolling|moving|since|first|ago|backtest|backtesting|holdout|held|hold|
  withhold|validate|validation|between|season|seasonality|cycle|average|history|old out|on|over|of|the|full|with|
  about|for|length|data|set*3
@wasahead (now? we've|i've|they've|it's | now? we|i|they|it|he|she|you have|has|had) been|had|seen|run|kept|lived|
  worked|struggled|tried|done|sold|not|never|always | now ,|.|and|we|i|it | of %clause*2 @history | history | worth
  of? @history | of? lag|lags|rolling|moving|average|lookback|season+|seasonality|cycle+|pattern|rhythm|ago|old|back|
  before|earlier|granularity|resolution|frequency|grain|aggregation|sampling|sla | of? look back | reading every
@vague few|some|several|many|coming|following @unit
@for for|over|within|in|during|across|covering|of|cover|spanning | up to
@horizon horizon|ahead|length | forecast length|window|period | prediction length | look ahead | lead time | outlook
@isbe of|is|\=|\:|to|should|must|shall|needs|has|would|will|be|set|as|at|about|around|a
horizon=range 1: @for|@next the|about|around|roughly|next*2 <n> -|to|or <n> <unit>
horizon=range 0.75: <n> -|to|or <n> <unit>
horizon=length 1: @next @about*3 <length> ; @next @about*2 more|further|full|additional|consecutive? <unit>
  !>(<plural>) ; !<(@past) <length> @point? =>(@out) !>(of? @history) ; a|an|one? !<(<n>) <unit> =>(@out) ; @horizon
  @isbe*4 <length> ; rolling|moving <length> outlook|forecast|plan|view|horizon|projection|look|budget ; forecast|
  prediction|projection|planning|time? (horizon | n period | step =>(\=|\:) | forecast|prediction length | steps)
  @isbe*4 (<length> | <n>) ; h|fh|prediction_length|forecast_horizon|n_ahead \=|\: <n> ; =<(@next) @adjective?
  <length>
horizon=length 0.85: =<(@for @about*3) !<(@notahead) <length> !>(@wasahead) !>(interval|bucket|step|reading) ; =<(@for
  @about*3) a|an|one <unit> !>(@wasahead)
horizon=length 0.75: =<(@forecasting %mark*4) !<(@notahead) <length> !>(@wasahead) !>(interval|bucket|step|reading)
horizon=length 0.6: !<(@notahead) <length> !>(@wasahead) !>(interval|bucket|step|reading) ; !<(@notahead) <n>
  =>(@adjective @point)
horizon=tomorrow 0.85: !<(from|starting|beginning) !<(as of) tomorrow ; the? day after tomorrow
horizon=those 1: the? next|coming|following|first? <n> (of those|these|them | such step+|period+)
horizon=corrected 1: (make that|it|this | i? mean|meant | scratch that | correction|actually|sorry|rather|oops|better|
  no) ,|\:|-|make|it|that|no|i|meant|rather|better|say|to*4 <n> !>(@unit|@point|\%|\:)
none 0.7: file|data|dataset only|just? holds|has|goes|contains|covers|spans %mark*3 <length> ; @notahead <length> ;
  <length> @wasahead ; @past <unit>
@until until|till|til|through|thru|by|ending|ends|throughout | up to|until | out to|until | right up to | as far as |
  all the way to | through to | on to | no later than | not beyond | (between|from)? now|today and|to|until|till|
  through | rest|remainder of | last month|week|day|date|quarter|period|step (to %clause)? \:|is|\=|should be?
@reached and including? (it is | we reach|hit|get|arrive to|at?)?
@settled (is|are|was|were|been %clause? planned|known|fixed|set|scheduled|rostered|booked|contracted|frozen|closed|
  valid|available|agreed|signed|open|away|out|off|on)
@ofdata (everything|anything|all|row|train|trained|training|data|history|fit|fitted|learn|backtest|test|tested|
  validate|actuals|records|observation|filter|only %clause?)
@whole the|this|our|current|fiscal|financial|calendar
@event '|s*2 meeting|call|review|workshop|session|report|board|presentation|planning|budget|conference
horizon=until 1: !<(@settled) !<(@ofdata) @until @reached? <until> ; from|between <when> to|through|until|till|-|and|
  thru <until>
horizon=before 1: !<(@settled) !<(@ofdata) before @reached? <until>
horizon=until 0.85: !<(@settled) !<(@ofdata) !<(budget|plan|plans|planning|meeting|review|roadmap|strategy|discussed|
  compared|similar|relative|close|due|respect) to|for|over|covering|cover @reached? <ahead> !>(@event) ; @month|
  <quarter> <n>? -|to|through|until|till <ahead> ; =>(@month @month) @month <ahead>
horizon=until 0.65: !<(@ofdata) !<(@settled) !<(budget|plan|plans|planning|meeting|review|roadmap|strategy|discussed)
  in|during|of <ahead> !>(@event)
horizon=end 1: !<(@ofdata) !<(@settled) (end|rest|remainder|balance|close of @whole*3 | remaining %clause*1 of|in?
  @whole*2) <unit> (of|in <when>)? ; !<(@ofdata) !<(@settled) remaining <unit> of|in <when>
horizon=end_year 1: eoy|yearend | year|end end|year
horizon=end_quarter 1: eoq | quarter end
horizon=end_month 1: eom | month end
horizon=end_week 1: eow
horizon=end_day 1: eod
horizon=end 0.85: for|over|during|in|through|throughout|until|till? this <unit>
horizon=clock 1: !<(@ofdata) until|till|til|through|thru tomorrow? <clock> tomorrow? ; !<(@ofdata) up to|until
  tomorrow? <clock> tomorrow?
horizon=span 1: (starting|beginning|commencing|effective|start|begin in|on|from|with|at? | as of | from) <when> for|
  over|covering|lasting|,|and|the|next|then|following*3 <n> <unit>
horizon=spanned 1: <n> <unit> (of %clause)? (starting|beginning|commencing in|on|from|with|at? | as of | from) <when>
horizon=that 1: (until|till|til|through|thru|to|by|before | right? up to|until | through to) and? including? (then |
  that same? date|day|point|time|week|month|quarter|year|deadline|moment|event | the? said|same date|day|week|month)
@learn use|using|train+|fit|fitted|learn|learning|look|base|based|consider+|take|only|just
@fromdata only|just|on|at|from|to|with|the|data|history|over|back
@leave ignore+|exclude+|excl|drop+|discard+|skip+|without|remove+|disregard+|omit+ | dont|not use|using|consider? |
  leave|leaving out | cut off?
@leaverows the|all|any|data|history|everything|anything|records|record|row|value|observation|that|is|are|from|of|
  which|lies|comes|come
@excluded of|data|the|from|training|period|should|must|be|is|are|to|,*5 (excluded|omitted|ignored|skipped|dropped|
  removed|cut | left out | held back | cut off)
@onwards onward+|on|forward+|later | and|or later|after|onwards|newer
training=dropped 1: @leave @leaverows*6 @past full? <length> ; @leave @leaverows*6 @past full? <unit> ; @past full?
  <length> @excluded ; @past full? <unit> @excluded
training=kept 1: !<(@leave %clause*3) !<(@testing|@ofdata on|against?) @learn @fromdata*4 @past full? <length> (of|
  worth of? %clause*3 @history)? ; !<(@leave %clause*3) !<(@testing|@ofdata on|against?) @learn @fromdata*4 @past
  full? <unit> (of|worth of? %clause*3 @history)? ; @past full? <length> of|worth of? %clause*3 @history ; with|using|
  use|given|train|trained|training|fit|only on|only? <length> of|worth of? %clause*3 @history
training=cut_since 1: @leave @leaverows*6 since|from|starting|beginning from|in|with? <past>
training=cut_after 1: @leave @leaverows*6 after <past>
training=since 1: since|from|starting|beginning from|in|with? <past> !>(to|through|until|till|-) @onwards?
training=after 1: after <past>
training=within 1: !<(@leave) train|trained|training|fit|fitted|learn|learning|use|using it|the|model|models|only|
  just|data|row|history|records*3 on|in|of|with|over|during (data|row|history|records)? from|of|in? <past>
  !>(@onwards)
training=since 1: !<(@leave) train|trained|training|fit|fitted|learn|learning|use|using it|the|model|models|only|just|
  data|row|history|records*3 on|in|of|with|over|during (data|row|history|records)? from|of|in? <past> @onwards
training=until 1: =<(@history|train|trained|fit|fitted|learn|learning|row|value only|just|on|from|the|window|set|
  period|that|is|are*3) !<(@leave %clause*4) until|till|through|thru|to|ending|ends in|on|with|at? <past> ;
  =<(@history|train|trained|fit|fitted|learn|learning|row|value only|just|on|from|the|window|set|period|that|is|are*3)
  !<(@leave %clause*4) up to|until <past>
training=before 1: =<(@history|train|trained|fit|fitted|learn|learning|row|value only|just|on|from|the|window|set|
  period|that|is|are*3) !<(@leave %clause*4) before|prior to? <past>
training=cut_before 1: @leave @leaverows*6 (before|until | prior|up to | older|earlier than) <past>
@stepword forecast|prediction|granularity|level|resolution|basis|frequency|step|bucket|cadence|footing|grain|value|
  figures|total+|numbers
@stored data|dataset|reading|measurement+|history|record+|observation|file|csv|series|sample+|input+
@overkill %clause*1 is|are|would|seem+|feel+|look+ be|a|bit|way|far|much|really|just*3 (overkill|excessive|
  unnecessary|useless | too fine|much|detailed|granular|noisy|often|short|small | not needed|necessary|wanted|
  required|useful | no good)
@runs refresh+|update+|retrain+|rerun|run|schedule+|recompute|recalculate|repeat+|automatically|send|sent|deliver+|
  mail|report|meet|save+|write|written|export+|seasonality|season|cycle|store+|upload+|push+|publish+|automate+|
  needed|required
@ours we|they|i only|always|usually|normally|just|do? close|order|reorder|bill|invoice|pay|review|restock|replenish|
  settle|buy|purchase|ship
@nostep !<(@runs %clause*7) !<(@ours %clause*5) !<(not|no a?) !<(instead of) !<(rather than)
@noseason !>((and|or|, %clause)? season|seasonal|seasonality|seasonalities|cycle+|pattern+|rhythm|refresh+|update+|
  retrain+|run+|schedule+|report+|meeting+|delivery|job|batch|email|newsletter|standup|review|peaks|dip|planning|
  plan+|budget+|target|goal+|closing|close) !>(@overkill) !>(@stored)
@resample aggregate+|resample+|roll+|rollup|convert+|sum|summed|average+|combine+|group+|bundle+|bucket|condense+|
  collapse+|consolidate+|collate|pool+|downsample+|add|total|totalled|turn+|switch+|change+|go|move
granularity 1: @nostep <adjective> @stepword @noseason ; @nostep <unit> level|granularity|resolution|basis|grain|
  frequency|total|totals|average|averages|sum|sums|bucket|step @noseason ; @nostep <unit> by|after <unit> @noseason ;
  =<(@resample %clause*7) to|into|by|per|at the|a|full|whole|calendar? <unit> ; from @adjective|@unit data|figures|
  value|numbers? to|into|up*2 <adjective>|<unit> ; freq|frequency|granularity "? \=|\:|is "? <alias>
granularity 0.85: @nostep <adjective> @noseason
granularity 0.8: @nostep by|per|each|every single? <unit> @noseason ; @nostep in|into|as <units> !>(to|ahead|time|
  from|past|gone|ago) @noseason
granularity=business_daily 0.9: @nostep (on|for|only|business|just (need|want|use|forecast)? the?)? businessday =<(on|
  for|only|just|the businessday) only? ; businessday only
@eachminutes every|each|per|by|at
@minutely interval|step|bucket|granularity|resolution|level|basis|frequency|grain|average|averages|mean|means|total|
  totals|sum|sums|figures|candle|slot
granularity=minutely 0.95: @eachminutes|in 1 minute @minutely | @eachminutes 1 minute !>(ahead|out|from)
granularity=five_minutely 0.95: @eachminutes|in? 5 (minute @minutely | minutely @stored?) ; !<(@next|over|for|within)
  @eachminutes 5 minute !>(ahead|out|from)
granularity=quarter_hourly 0.95: @eachminutes|in? 15 (minute @minutely | minutely @stored?) ; !<(@next|over|for|
  within) @eachminutes 15 minute !>(ahead|out|from)
granularity=half_hourly 0.95: @eachminutes|in? 30 (minute @minutely | minutely @stored?) ; !<(@next|over|for|within)
  @eachminutes 30 minute !>(ahead|out|from)
granularity=hourly 0.95: @eachminutes|in? 60 (minute @minutely | minutely @stored?)
none 0.5: <adjective> @stored ; <adjective>|<unit> @overkill ; <unit> by <unit> @overkill
`
