/** Its lines in the list of all commands. */
export const forecastLines = `  tabcast forecast FILE --key KEY [--horizon N] [OPTION]...
                                     forecasts a file and writes table and report beside it; --help has the options`

/** What `tabcast forecast --help` prints. */
export const forecastUsage = `tabcast forecast FILE --key KEY [OPTION]...

Sends a file to the service, waits for the forecast, and writes its table and its report beside the file.

  The service
  --key KEY                an API key; better TABCAST_API_KEY in the environment, which no list of processes shows
  --url URL                its address; TABCAST_URL unless given, or else the service of this machine

  The forecast
  --horizon N              how many steps to forecast; 24 unless given
  --preset NAME            fast, balanced or best, which takes longest; or ft:ID, a model of your own; balanced unless given
  --quantiles A,B          quantiles beside the mean, such as 0.1,0.9; 0.1 to 0.9 unless given

  The file
  --item-id-column NAME    the column that names the series; item_id unless given
  --timestamp-column NAME  the column of times; timestamp unless given
  --target-column NAME     the column to forecast; target unless given
  --covariates A,B         columns that help to explain the target, such as a price; for the steps to forecast the file
                           needs rows with their values and an empty target
  --freq ALIAS             the step from one row to the next: h, D, W, MS and so on; found in the file unless given
  --missing RULE           what to put where a step has no value: zero (such as days that are closed), ffill, bfill,
                           interpolate, mean or drop

  The result
  --format csv|parquet     of the table; csv unless given
  --zip                    one file with the table in both formats, the report, and everything else of the result
  --out FILE               where the table goes; sales.forecast.csv for sales.csv unless given. The report goes beside it
                           as sales.forecast.report.html
  --force                  replaces files that are there already
  --job ID                 waits for this job, which was submitted before, and submits nothing
`
