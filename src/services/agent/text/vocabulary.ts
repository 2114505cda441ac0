const list = (text: string): string[] => text.trim().split(/\s+/)

/** The words that rules look for. Misspelt words are corrected to these. */
export const grammarWords: ReadonlySet<string> = new Set(list(`
  forecast forecasting predict prediction predicting project projection estimate horizon target granularity frequency
  second minute hour day week month quarter year fortnight businessday halfhour
  minutely hourly daily weekly monthly quarterly yearly annual annually halfhourly
  january february march april june july august september october november december christmas
  monday tuesday wednesday thursday friday saturday sunday tomorrow
  next coming following until through remainder remaining ahead
  excluding exclude except without ignore ignoring including include using considering
  where between greater above below least filter
  interval confidence percentile quantile coverage
  missing interpolate outlier outliers anomaly anomalies spikes
  backtest backtesting holdout rolling validation
  scheduled schedule refresh automatically negative integer
  accuracy optimise optimize weather holiday holidays seasonality seasonal
`))

/** Words without a meaning of their own. They do not count when the understood share of a prompt is measured. */
export const functionWords: ReadonlySet<string> = new Set(list(`
  a an the this that these those it its they them their there here i we you he she us me my our your his her who whom which what when why how
  is am are was were be been being do does did done has have had having will would shall should can could may might must let lets
  and or but if then than so as at by for from in into of off on onto out over to toward towards up down with within without about after before
  please pls plz kindly thanks thank thx hi hello hey dear team all any both each every some such only just also too very really quite more most less
  not no nor yes ok okay well now again back per via i'd i'm we'd we're we'll i'll it's that's what's let's like want need see know get give show tell make made take
  look looking going expect expected help able good best great much many few lot lots kind regards cheers sir madam morning afternoon
  gimme lemme wanna gonna gotta fuer fur pour para
  one something anything everything thing things way able same other another own due use used using
  ie eg new based basis file data dataset csv table column columns series time date forecast forecasting forecaster predict prediction predicting predicted
  project projection estimate outlook number numbers total overall level levels figure figures value values future
`))

/** Everyday words, which are neither corrected nor taken for a similar column name. */
export const commonWords: ReadonlySet<string> = new Set(list(`
  able about above account across actual actually add after again against ago all almost along already also always among amount and annual another any anyone anything are area around
  ask asked available average avoid away back bad base based basic because become been before begin behind being believe below best better between big board book both boss bring budget build busy
  business but buy call came can care carry case caught cause certain chance change channel check child city class clean clear close code cold come comes coming company compare complete consider
  could country couple course cover create current currently customer customers cut date deal decide decided default definitely deliver depend describe detail did different difficult direct does doing
  done down drive driven drop due during each early easy either else email end enough enter entire error even ever every everyone example exact except expect explain export extra fact fair fall far
  fast feature feel few file fill final finance find fine first fit five flag folder follow food for force form found four free from full further future gap general get give given going gone good
  got great group grow growth guess had half hand handle happen hard has have having hear heard help here high him his hold home hope hot house how however idea important include increase inform
  input inside instead into issue item its job join just keep kind know knew known large last late later latest lead learn least leave left less let level life like likely limit line link list
  little live local long look lost lot low lower made main make manage many mark market matter mean means measure meet meeting member message might mind minimum miss model moment money more morning
  most move much must name near nearly necessary need needs never new news nice night none nor normal not note nothing number off offer office often old once one only open option order other our
  out over overall own page paid part party past pay peak people per perfect perhaps period person place plan planned plans planning please point possible power practice prefer prepare present
  press previous print probably problem process produce product production provide public pull purchase purpose push put quality question quick quickly quite range rather reach read ready real
  really reason receive recent recently record reduce regular related release remain remove replace report reports represent request require rest result results return review right risk room run
  running safe said same save say scale see seem seen select sell send sent series serve service set seven several shape share sheet shift shifts should show shown side simple simply since
  single site six size small some someone something soon sort sound source space special specific staff stage stand standard start state status stay step still stock stop store story strong
  such suggest summer winter spring autumn supply support sure system table take talk task team tell ten term terms test than thank thanks that the their them then there these they thing things think
  third this those though three through time times today together told too took top total toward track trade train training treat trend trends true trust try turn two type under understand
  unless unlike update upper use used useful user usual usually value various very view visit wait want warehouse was watch way week well went were what when where whether which while white who
  whole whose why will wish with within word work worked worry worst would write wrong year yes yet you your weakly
`))
