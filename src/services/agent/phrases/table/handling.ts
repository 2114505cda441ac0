/** Phrases for outliers, gaps, metrics, backtests, seasons, intervals, bounds and schedules. */
export const handling = String.raw`
@unit minute|second|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year
@adjective minutely|quarterhourly|halfhourly|hourly|daily|businessdaily|weekly|monthly|quarterly|yearly|annual|
  annually
@point step|period|point|interval|observation|reading|row|value|bucket|slot|tick|candle
@month january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|september|sept|sep|october|oct|
  november|nov|december|dec
@clause .|,|and
@mark .|,|;
@denied (dont|not|never|without|shouldnt|cant|wont|doesnt|isnt just|simply|please|to|need?)
@forecasting forecast+|predict+|prediction|project|projecting|projection|estimate+|extrapolate+|outlook
@next next|coming|following|upcoming|subsequent|forthcoming
@about the|about|around|roughly|approximately|say|full|another|a|total|period|of
@strange unusual|odd|strange|weird|suspicious|freak|extreme|abnormal|implausible|crazy|wild|anomalous
@odd outlier+|anomaly+|spike+|extremes|glitch+|oddities|irregularities|aberrations | @strange value|point|reading|
  observation|data|day|week|month|number+|figures|one|ones|row|entry+|record+|jump+|peak+|event+|result+ | anything|
  something|whatever|everything|what is|looks|that|seems*2 (@strange | out of line|the ordinary | off)
anomaly_handling=none 1: leave|leaving|keep|retain+ %clause*3 @odd (alone | in | as they are | as is | untouched)? ;
  dont|not|without (remove+|touch+|clip+|change+|drop+|exclude+|filter+|alter+|adjust+|smooth+) %clause*3 @odd ; no
  treatment|handling of? %clause*3 @odd ; @odd %clause*3 (alone | untouched | as they are | left in | kept | stay |
  real | genuine) ; no outlier|anomaly handling|treatment|removal|detection
anomaly_handling=flag 1: flag+|mark+|highlight+|report|label+|detect|tag+|annotate|identify|show|list|note %clause*3
  @odd ; point|call|called|pointing out %clause*3 @odd ; warn|alert|tell us|me? about|to %clause*3 @odd ; @odd
  %clause*3 flagged|marked|highlighted|reported|labelled|labeled|tagged
anomaly_handling=clip 1: clip+|cap+|winsorise+|winsorize+|limit+|truncate|trim|dampen|cut off? %clause*3 @odd ; @odd
  %clause*3 clipped|capped|winsorised|winsorized|trimmed|limited|dampened
anomaly_handling=interpolate 1: interpolate+|smooth+|replace+|repair+|correct|impute out? %clause*3 @odd ; @odd
  %clause*3 interpolated|smoothed|replaced|repaired|corrected|imputed
anomaly_handling=remove 1: !<(dont|not|never) remove+|drop+|exclude+|ignore+|delete+|discard+|eliminate|strip|without|
  disregard|no|filter+ out? %clause*3 @odd ; clean up|out? %clause*3 @odd ; leave|take|throw|kick|chuck|toss|weed|get|
  strip|filter out|away|aside|rid %clause*3 @odd ; throw|kick|chuck|toss|take|leave|filter|strip|keep|weed %clause*3
  @odd out|away|aside ; @odd %clause*3 removed|dropped|excluded|ignored|deleted|discarded|filtered ; outlier|anomaly
  removal
@gap day|data|value|reading|date|entry|entries|point|observation|step|row|record+|week|month|hour|timestamp+|cell+|
  period
@gaps missing @gap? | gap+|null+|nan|nans|nas|blank+|hole+|missings | empty|blank|incomplete|absent @gap | @gap (that|
  which? is|are missing|empty|blank|absent)
@zero 0|zero|zeros|zeroes|nothing|nil|none | no sales|demand
@fill fill+|plug+|patch+|close|bridge|count+|impute+|replace+|treat+|substitute|set|assume|are|is|handle+|regard|
  consider|mean|means
missing_data_handling=ffill 1: forward fill+|filling ; ffill|forwardfill|locf ; fill+ %clause*3 forward ; carry|
  carried (forward | it|them|value|one forward | the? last|latest|previous|most %clause*5 forward|over|on|along) ;
  repeat|hold|keep|copy|stretch|propagate|reuse|use the? last|previous|prior|preceding|latest|most recent? good|known|
  valid|observed? value|observation|reading|one|number|figure ; last|previous known|observed|valid? value|observation|
  reading ; pad forward
missing_data_handling=bfill 1: back fill+ ; backfill+|bfill ; fill+ %clause*3 backward|backwards ; backward fill ;
  next known|observed|valid|good value|observation|reading ; @gaps %clause*3 from|with|by|using the? next|following|
  subsequent value|observation|reading|one
missing_data_handling=interpolate 1: linearly? interpolate+ %clause*3 @gaps ; @gaps %clause*3 interpolate+|
  interpolation ; linear? interpolation|interpolate !>(%clause*3 @odd) !<(@odd %clause*3) ; straight|linear line ;
  bridge|bridging %clause*3 @gaps ; join|connect the dots|point|ends
missing_data_handling=zero 1: @fill %clause*3 @gaps? %clause*3 with|as|by|to|at|in|at? a? @zero ; @fill %clause*3
  @gaps %clause*3 @zero ; @gaps %clause*3 @zero ; zero fill+ ; zerofill ; put|write|insert|enter|plug in? a|an|in? 0|
  zero|zeros there|instead|in?
missing_data_handling=mean 1: @fill %clause*3 @gaps %clause*3 mean|average ; mean|average imputation|impute|fill ;
  @gaps %clause*3 by|with the? column|series|overall|weekly|monthly|daily? mean|average|median ; mean|average
  %clause*3 for|in|into|over|where %clause*3 @gaps ; fill|impute|replace %clause*3 with|by the? mean|average
missing_data_handling=drop 1: drop+|remove+|delete+|skip+|discard+|exclude+|ignore+|omit+ %clause*3 @gaps ; throw|
  throwing|toss|get|leave|leaving away|out|rid %clause*4 @gaps ; @gaps %clause*3 dropped|removed|deleted|skipped|
  discarded|excluded|ignored|omitted
missing_data_handling=none 1: leave|leaving|keep %clause*3 @gaps (as they|is|it are|is? | alone | untouched | empty)?
  ; dont|not|without (fill+|impute+|touch) %clause*3 @gaps !>(with|by|using) ; @gaps %clause*3 (alone | as they are |
  as it is | untouched | unfilled | open | unchanged) ; no|without imputation|filling|imputing|interpolation|padding
  of? %clause*3 @gaps?
none 0.8: dont|not|never|shouldnt just|simply|please? fill|impute|drop|interpolate|backfill|replace %clause*3 @gaps
  %clause*2 (with|by|using %clause*2 @zero|mean|average)?
@takingback (not | instead of | rather than | no | than | avoid+ | dont use | not by | without | stop+ | quit | no
  longer | drop+ | ditch+ | abandon+ | gave|give|given up | scrap+ | retire+ | away from | off | never | forget about?
  | skip | dont want|like|trust|need | dont care about | hate | dislike | used to use|be|report | tired of | replace+
  | switch+|move+|change+ from | unlike | neither | nor | except) the|our|a|an|any|old|using|with|on|by|of|it|to|use|
  metric|measure|as|for|from|having|much|in|here|now*3
@isover is|was|are|were|isnt|does|doesnt|makes|gets? (not|no longer|use|used|useful|good|wanted|suitable|right|what|
  okay|ok|allowed|helpful|work|working|sense|more | useless|banned|gone|out|unsuitable|misleading|dropped|scrapped|
  retired|explodes | work for us | make|makes no? sense | blows up)
metric=SMAPE 1: smape ; symmetric mape ; symmetric mean? absolute? \% error
metric=WAPE 1: wape|wmape ; volume? weighted mape ; volume? weighted mean? absolute? \% error
metric=MAPE 1: mape ; mean|average? absolute? \% error
metric=RMSSE 1: rmsse ; root mean square|squared scaled error ; root mean scaled square|squared error
metric=RMSE 1: rmse|rmsd ; root mean square|squared error|deviation
metric=MASE 1: mase ; mean? absolute? scaled error
metric=MAE 1: mae|mad ; mean|average? absolute error|deviation
metric=MSE 1: mse ; mean? square|squared error ; least squares
metric=WQL 1: wql|pinball|crps ; weighted? quantile loss ; pinball loss
metric=SQL 1: scaled quantile loss ; (metric | score | minimise|minimize|optimise|optimize for) (is|\=|\:|by|the)? sql
@testing backtest+|validation|validating|validate|evaluation|testing | back test|testing | cross validation
backtest_strategy=none 1: (no | without any? | skip|skipping | dont | no need | omit) any|a|the|to|do|run|for|need|
  bother|with|use*3 @testing ; @testing is? not|isnt needed|necessary ; @testing is? unnecessary
backtest_strategy=rolling_origin 1: rolling origin|origins (%clause*3 backtest|backtesting|validation|evaluation)? ;
  rolling (backtest|backtesting|validation|evaluation | cross validation | window backtest|validation|evaluation |
  forecast origin | window+ !>(average|mean|median|std|sum|statistics|features)) ; walk forward validation|testing|
  test|backtest|backtesting? ; sliding window+ validation|backtest|backtesting|evaluation? ; time? series? cross
  validation|validate|validated ; crossvalidation|tscv ; several|multiple origins|folds ; backtest+|test+|validate+|
  check+|evaluate+|score+ it|them|the|model|models|forecast|this|that|us*3 on|over|with|at|from|across|against|for
  several|multiple|many|various|different|<n> different|past|historical? window+|origin+|fold+|cutoff+|split+|dates|
  starting|start point|dates?
backtest_strategy=expanding_window 1: expanding|growing|increasing training? window+ validation|backtest|backtesting|
  evaluation?
backtest_strategy=holdout 1: hold|held out set? ; holdout set? ; withhold ; single? train test split ; test set ;
  test|validate|backtest|evaluate|check|score %clause*3 on|against|over|with the? last|final|most recent? <n>? @unit|
  @point ; (hold|held out | holdout | withhold | keep | reserve | set aside) the? last|final|most recent? <n>? @unit|
  @point (%clause*3 testing|test|validation|evaluation)?
seasonality= 1: no|without|ignore+|disable|non|not|dont any|the|use|model|weekly|yearly|annual|daily|monthly*2
  seasonality|seasonalities|seasonal
seasons 1: <adjective> (,|and|or|plus*2 an?|a? <adjective>)? (,|and|or|plus*2 <adjective>)? seasonality|seasonalities|
  seasonal|season+|cycle+|cyclicity|pattern+|rhythm|periodicity pattern|cycle|effect+? ; <n> <unit> long? seasonality|
  seasonal|season+|cycle+|pattern+|rhythm|periodicity ; seasonality|season+|cycle+|pattern+ length|period? of|is|\=|
  \:|every*2 <n> <unit>
@bands interval|confidence|coverage|band+|certainty|certain|sure|bound+|uncertainty|ci|cis|pi|pis|probability|range|
  corridor|whiskers | error bars | fan chart
@kindofband prediction|confidence|forecast|uncertainty|credible|level|central|predictive|error
@percentlist <n> \%? (,|and|or|/*2 <n> \%?)*4
intervals 1: @percentlist @kindofband*2 @bands interval|band+|level|bounds? ; @kindofband? @bands interval|band+|
  level+|bounds|of|at|\:|\=|with|around|to|for|is|are|the|be|should*4 @percentlist
quantiles 1: <quantile> (,|and|or|/|to|-|as|well*3 the? <quantile>)*8
percentiles 1: <n> (,|and|or|to|/*2 the? <n>)*5 percentile+|quantile+ ; percentile+|quantile+ of|at|\:|\=|level+|for*2
  <n> (,|and|or*2 <n>)*8
@result forecast|prediction|value|result+|numbers|figures|output|it|they|them|anything|sales|demand
user_constraints=non_negative 0.9: (non|not|no|never|without|avoid | cant|cannot|never|not|wont|shouldnt|must be|go |
  dont go) any? negative|negatives value|numbers|forecast|prediction? ; (not|never|no|cant|cannot|shouldnt|wont|dont
  be|go|fall? | nothing|no value) below|under 0|zero ; nonnegative ; only positive ; positive value|numbers|only ; (at
  least | \>= | floor of|at | not below) 0|zero
user_constraints=integer 0.9: integer+ value|only|numbers|forecast? ; whole numbers|number|units ; round numbers ;
  count data ; no|without decimals|fractions ; round+ %clause*3 (integer+ | whole|full number+|units | nearest
  %clause)
user_constraints=without_weekends 0.9: ignore+|without|exclude+|no|skip+|not|leave out|the|on*2 weekend+|saturday+|
  sunday+
user_constraints=reconciliation_top_down 0.9: top down ; topdown
user_constraints=reconciliation_bottom_up 0.9: bottom up ; bottomup
user_constraints=reconciliation_min_trace 0.9: min|minimum trace ; mint
user_constraints=reconciliation 0.9: coherent|reconcile|reconciled|reconciliation forecast|hierarchy|levels? ; (add|
  adds|sum|sums up | consistent) (at|on|across the|each|every|all|our*2 level+|hierarchy)?
bound=max 0.9: (capped|cap|limit|limited|ceiling|maximum|max | upper limit) of|at|to|is|the|capacity|by|\=|\:|
  @result*3 <signed> !>(@unit|@point|\%) ; @result must|should|can|may|cannot|cant|shouldnt|to? not|never? (exceed|
  exceeds | be|go above|over | be more than | stay below|under | be at most | be below) <signed> !>(@unit|@point|\%)
bound=min 0.9: (floor|minimum|min | lower limit) of|at|to|is|the|by|\=|\:|@result*3 <signed> !>(@unit|@point|\%) ;
  @result must|should|shouldnt|to? not|never? (be at least | stay|be above | go|be|fall below) <signed> !>(@unit|
  @point|\%)
@rhythm <n>? minute|quarterhour|halfhour|hour|day|businessday|night|morning|evening|week|month|quarter|year|@weekday
@weekday monday+|tuesday+|wednesday+|thursday+|friday+|saturday+|sunday+
@again refresh+|update+|retrain+|rerun|run|running|repeat+|recompute|recalculate|redo|regenerate|deliver+|send|sent|
  schedule+|produce+|publish+|mail+|automate+|again | re run
@it it|this|them|the|that|forecast|prediction|model|to|me|us|numbers|job|a|new|fresh|be|results|result|back|output|one
@storage bucket|s3|database|db|warehouse|storage|snowflake|bigquery|store|connection|postgres|lake|datalake|blob |
  data lake|warehouse | object storage
deployment_target=one_off 1: one|1 off|shot|time only? ; oneoff|adhoc ; ad hoc ; just this? once ; only once ; once
  only ; run once ; single run
deployment_target=scheduled 1: !<(@denied|no) @again @it*4 (every|each|per|automatically other|first|second|third|
  single? @rhythm | once|1 a|per @rhythm) ; !<(@denied|no) @again @it*4 (@adverb | on @weekday | on a schedule | on a
  regular|daily|weekly|monthly basis|schedule) ; @adverb refresh+|update+|run|runs|retraining|retrain|schedule|
  delivery|rerun|job|batch ; every|each @rhythm (at|in %mark)? we|i|the|automatically|again ; new|fresh forecast|
  prediction %clause*1 every|each @rhythm ; on the <n>|first|last|second|third (working|business? day|businessday|
  @weekday)? of every|each week|month|quarter|year ; on a regular? schedule ; scheduled|recurring|nightly|cronjob|cron
  ; needed|required|due|automatically every|each @rhythm ; need|needs|want|get|have|like|expect @it*3 again? every|
  each @rhythm ; every|each night|morning|evening|@weekday
@adverb hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|regularly|periodically|automatically
deployment_target=write_back 1: !<(@denied|no) write|written|writing|push+|save+|store+|export+|drop+|place+|deposit+|
  append+|insert+|sync|feed|load+|upload+|send|sent|put|deliver+|land|dump|copy @it|everything|final|all|value|rows*5
  (to|into|in|on our|the|my|your|a|an|same|own|customer|production|company*3 @storage) ; write|written back ;
  writeback ; write @it|value*4 back
deployment_target=api 1: via|through|over|by|from|using|as|behind|expose+|with|serve|in|to an|a|the|our|your|as|it|
  rest|json|http|web|public|internal*4 (api|endpoint|rest|webservice|http|https|webhook|microservice | web service) ;
  api call+|access|endpoint|integration|request+|consumer+ ; let|have the|our|an|your api ; query|call|fetch|poll
  %clause*3 api|endpoint
none 0.8: no|not|dont|without|isnt|never need|for|to|a|any*4 (api | @again every|each @rhythm | @adverb refresh+|
  update+|run|schedule | one off)
@fnext nachste+|nachsten|nachster|nachstes|naechste|naechsten|naechster|naechstes|kommende|kommenden|kommendes|
  folgende|folgenden|prochain|prochains|prochaine|prochaines|suivants|suivantes|proximo|proximos|proxima|proximas|
  siguientes|next|coming|following
@fpast letzte|letzten|letztes|vergangenen|vorigen|bisherigen|dernier|derniers|derniere|dernieres|passes|passees|
  precedents|precedentes|ultimos|ultimas|pasados|pasadas|last|past|previous
`
