/** The local or the English name, where the bundled list has the other one only: [name, listed name, country]. */
export const localNames: ReadonlyArray<readonly [string, string, string]> = [
  ['München', 'Munich', 'DE'], ['Cologne', 'Köln', 'DE'], ['Nuremberg', 'Nürnberg', 'DE'], ['Hanover', 'Hannover', 'DE'], ['Frankfurt', 'Frankfurt am Main', 'DE'],
  ['Wien', 'Vienna', 'AT'], ['Zurich', 'Zürich', 'CH'], ['Genf', 'Genève', 'CH'], ['Geneva', 'Genève', 'CH'], ['Basle', 'Basel', 'CH'],
  ['Praha', 'Prague', 'CZ'], ['Prag', 'Prague', 'CZ'], ['Warszawa', 'Warsaw', 'PL'], ['Warschau', 'Warsaw', 'PL'], ['Cracow', 'Kraków', 'PL'],
  ['Roma', 'Rome', 'IT'], ['Rom', 'Rome', 'IT'], ['Milano', 'Milan', 'IT'], ['Mailand', 'Milan', 'IT'], ['Napoli', 'Naples', 'IT'], ['Torino', 'Turin', 'IT'],
  ['Firenze', 'Florence', 'IT'], ['Venezia', 'Venice', 'IT'], ['Genova', 'Genoa', 'IT'], ['Lisboa', 'Lisbon', 'PT'], ['Lissabon', 'Lisbon', 'PT'],
  ['Seville', 'Sevilla', 'ES'], ['Bruxelles', 'Brussels', 'BE'], ['Brussel', 'Brussels', 'BE'], ['Brüssel', 'Brussels', 'BE'], ['Antwerp', 'Antwerpen', 'BE'],
  ['Den Haag', 'The Hague', 'NL'], ['København', 'Copenhagen', 'DK'], ['Kopenhagen', 'Copenhagen', 'DK'], ['Gothenburg', 'Göteborg', 'SE'], ['Helsingfors', 'Helsinki', 'FI'],
  ['București', 'Bucharest', 'RO'], ['Bukarest', 'Bucharest', 'RO'], ['Beograd', 'Belgrade', 'RS'], ['Belgrad', 'Belgrade', 'RS'], ['Athína', 'Athens', 'GR'], ['Athen', 'Athens', 'GR'],
  ['Moskva', 'Moscow', 'RU'], ['Moskau', 'Moscow', 'RU'], ['Kiev', 'Kyiv', 'UA'], ['New York', 'New York City', 'US'], ['Ciudad de México', 'Mexico City', 'MX'],
  ['Peking', 'Beijing', 'CN'], ['Bombay', 'Mumbai', 'IN'], ['Bangalore', 'Bengaluru', 'IN'], ['Calcutta', 'Kolkata', 'IN'], ['Saigon', 'Ho Chi Minh City', 'VN']
]
