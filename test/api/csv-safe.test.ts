import { Readable } from 'node:stream'
import t from 'tap'
import { CsvSafe } from '../../src/api/csv-safe.ts'

async function safe (text: string, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) },
    (_, at) => bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes))
  const parts: Buffer[] = []
  for await (const part of Readable.from(chunks).pipe(new CsvSafe()) as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString()
}

t.test('what a spreadsheet would compute gets an apostrophe, and numbers stay, wherever chunks are cut', async (t) => {
  const given = [
    'row_index,=id,actual,"-a,b",-1',
    '1,=1+1,-1,-0.5,+2',
    '2,"=a,""b""",-1e-7,-1-1,-.5',
    '3,@x,+,"-5","-5,5"',
    '-4,plain ü,a=b,-1E+300,-'
  ].join('\n')
  const wanted = [
    "row_index,'=id,actual,\"'-a,b\",'-1",
    "1,'=1+1,-1,-0.5,+2",
    '2,"\'=a,""b""",-1e-7,\'-1-1,-.5',
    '3,\'@x,\'+,"\'-5","\'-5,5"',
    "'-4,plain ü,a=b,-1E+300,'-"
  ].join('\n')
  for (let chunkBytes = 1; chunkBytes <= given.length + 1; chunkBytes++) {
    const found = await safe(given, chunkBytes)
    if (found !== wanted) t.equal(found, wanted, `chunks of ${chunkBytes} bytes`)
    const ended = await safe(`${given}\n`, chunkBytes)
    if (ended !== `${wanted}\n`) t.equal(ended, `${wanted}\n`, `chunks of ${chunkBytes} bytes, and a line's end`)
  }
  t.equal(await safe(given, 1000), wanted)
  t.equal(await safe('', 1), '')
})
