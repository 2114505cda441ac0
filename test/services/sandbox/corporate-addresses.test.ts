import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { TabcastError } from '../../../src/platform/errors.ts'
import { openCorporateAddresses } from '../../../src/services/sandbox/email/corporate-addresses.ts'
import { until } from '../../support/until.ts'

/** `file`: what the operator's file says at first. */
function open (t: Test, file?: unknown) {
  const path = join(t.testdir({}), 'domains.json')
  if (file !== undefined) writeFileSync(path, JSON.stringify(file))
  const errors: Error[] = []
  const addresses = openCorporateAddresses({
    config: { SANDBOX_DOMAINS_FILE: file === undefined ? '' : path },
    onError: (error) => errors.push(error)
  })
  t.teardown(() => addresses.close())
  /** The domain, or the reason of the refusal. */
  const judge = (email: string): string => {
    try {
      return addresses.domainOf(email)
    } catch (error) {
      if (!(error instanceof TabcastError)) throw error
      t.equal(error.status, error.code === 'validation_error' ? 422 : 400)
      t.notOk(email.length > 3 && (error.message.includes(email) || JSON.stringify(error.fields ?? []).includes(email)),
        'the address is not repeated')
      return error.code === 'validation_error'
        ? `malformed: ${String(error.fields?.[0]?.ctx?.['error'])}`
        : `${error.code}: ${error.reason}`
    }
  }
  return { addresses, judge, errors, path }
}

const refused = (reason: string) => `sandbox_corporate_email_required: ${reason}`

t.test('the domain is that which the company registered, however the address is written', (t) => {
  const { judge } = open(t)
  const same: Record<string, string[]> = {
    'siemens.com': ['ana@siemens.com', 'Ana.Li+sandbox@SIEMENS.com', ' ana@siemens.com ', 'ana@mail.energy.siemens.com',
      '"a b@c"@siemens.com', '"ana\\"li"@siemens.com', "o'neil@siemens.com", 'ana@ｓｉｅｍｅｎｓ.com',
      'ana@siemens。com'],
    'sainsburys.co.uk': ['ana@sainsburys.co.uk', 'ana@stores.sainsburys.co.uk'],
    'xn--bcher-kva.de': ['ana@bücher.de', 'ana@BÜCHER.de', 'ana@xn--bcher-kva.de', 'ana@mail.Bu\u0308cher.de',
      'jürgen@bücher.de'],
    'xn--e1afmkfd.xn--p1ai': ['почта@пример.рф'],
    'city.kawasaki.jp': ['ana@city.kawasaki.jp'],
    '3m.com': ['a@3m.com'],
    'telekom.de': ['ana@telekom.de']
  }
  for (const [domain, emails] of Object.entries(same)) for (const email of emails) t.equal(judge(email), domain, email)
  t.end()
})

t.test('addresses that anybody can have are refused, below their domain too', (t) => {
  const { judge } = open(t)
  const providers = [
    'gmail.com',
    'googlemail.com',
    'outlook.com',
    'hotmail.com',
    'live.com',
    'yahoo.com',
    'yahoo.co.uk',
    'icloud.com',
    'me.com',
    'aol.com',
    'gmx.de',
    'gmx.net',
    'gmx.ch',
    'web.de',
    't-online.de',
    'freenet.de',
    'posteo.de',
    'mailbox.org',
    'proton.me',
    'protonmail.com',
    'tutanota.com',
    'tuta.io',
    'fastmail.com',
    'zoho.com',
    'mail.ru',
    'yandex.ru',
    'qq.com',
    '163.com',
    'naver.com',
    'daum.net',
    'kakao.com',
    'orange.fr',
    'laposte.net',
    'libero.it',
    'seznam.cz',
    'wp.pl',
    'o2.pl',
    'rediffmail.com',
    'bigpond.com',
    'comcast.net',
    'btinternet.com',
    'bluewin.ch',
    'ezweb.ne.jp',
    'nifty.com',
    'duck.com',
    'mozmail.com',
    'privaterelay.appleid.com'
  ]
  for (const domain of providers) {
    t.equal(judge(`ana@${domain}`), refused('free_mail'), domain)
    t.equal(judge(`ana@corp.${domain.toUpperCase()}`), refused('free_mail'), `corp.${domain}`)
  }
  for (const domain of ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com', 'trashmail.com',
    'sharklasers.com', 'a.b.mailinator.com']) t.equal(judge(`ana@${domain}`), refused('disposable'), domain)
  for (const email of ['ana@ｇｍａｉｌ.com', 'ana@gmail。com', 'ana+work@gmail.com', '"ana"@gmail.com',
    'ana@müllmail.com']) t.equal(judge(email), refused('free_mail'), email)
  t.end()
})

t.test('what no company can register is refused', (t) => {
  const { judge } = open(t)
  const none = [
    'localhost',
    'acme',
    'com',
    'co.uk',
    'kawasaki.jp',
    'foo.kawasaki.jp',
    'github.io',
    '[192.0.2.1]',
    '[IPv6:2001:db8::1]',
    '192.0.2.1',
    '0x7f.1',
    '2130706433',
    'server.local',
    'acme.test',
    'acme.internal',
    'acme.invalid',
    'acme.onion',
    'acme.nosuchtld',
    'acme.corp'
  ]
  for (const domain of none) t.equal(judge(`ana@${domain}`), refused('no_domain'), domain)
  for (const domain of ['ana.github.io', 'mail.ana.github.io', 'ana.blogspot.com', 'shop.myshopify.com',
    'ana.herokuapp.com', 'ana.duckdns.org', 'acme.uk.com']) t.equal(judge(`ana@${domain}`), refused('hosted'), domain)
  t.end()
})

t.test('what is no address is malformed', (t) => {
  const { judge } = open(t)
  const wrong = [
    '',
    ' ',
    '@',
    'ana',
    'ana@',
    '@siemens.com',
    'ana@@siemens.com',
    'ana@li@siemens.com',
    '.ana@siemens.com',
    'ana.@siemens.com',
    'a..b@siemens.com',
    'a b@siemens.com',
    'ana@sie mens.com',
    'ana@siemens..com',
    'ana@.siemens.com',
    'ana@siemens.com.',
    'ana@-siemens.com',
    'ana@siemens-.com',
    'ana@sie_mens.com',
    'ana@siemens.com/x',
    'ana@sie%2emens.com',
    'ana@siemens.com:25',
    'ana@user:pw@siemens.com',
    'Ana <ana@siemens.com>',
    'ana@siemens.com, b@c.com',
    'ana@siemens.com\r\nbcc: x',
    'ana\0@siemens.com',
    '"ana@siemens.com',
    'ana"@siemens.com',
    '"a"b"@siemens.com',
    'ana@[siemens.com]',
    'ana@[999.1.1.1]',
    'ana@xn--zz.com',
    'ana@gm\u00adail.com',
    'ana@gm\u200bail.com',
    `${'a'.repeat(65)}@siemens.com`,
    `${'ä'.repeat(33)}@siemens.com`,
    `ana@${'a'.repeat(64)}.com`,
    `ana.lis@${`${'a'.repeat(60)}.`.repeat(4)}com`,
    `ana@${'ä'.repeat(60)}.com`,
    `ana@${'x.'.repeat(100_000)}com`,
    `"${'\\a'.repeat(50_000)}`
  ]
  for (const email of wrong) t.match(judge(email), /^malformed: /, email.slice(0, 60))
  t.equal(judge(`${'a'.repeat(64)}@siemens.com`), 'siemens.com')
  t.equal(judge(`ana.li@${`${'a'.repeat(60)}.`.repeat(4)}com`), `${'a'.repeat(60)}.com`, '254 bytes')
  t.end()
})

t.test("the operator's file decides before all lists, by the rule that says most", (t) => {
  const { judge } = open(t, {
    allow: ['gmx.ch', 'uk.com', 'github.io', 'corp.internal', 'lab.rival.example', 'Bücher.example',
      'partner.mailinator.com'],
    block: ['rival.example', 'siemens.com', 'ads.gmx.ch']
  })
  const outcomes: Record<string, string> = {
    'gmx.ch': 'gmx.ch',
    'mail.gmx.ch': 'gmx.ch',
    'ads.gmx.ch': refused('blocked'),
    'acme.uk.com': 'acme.uk.com',
    'mail.acme.uk.com': 'acme.uk.com',
    'uk.com': 'uk.com',
    'ana.github.io': 'ana.github.io',
    'corp.internal': 'corp.internal',
    'mail.corp.internal': 'corp.internal',
    'other.internal': refused('no_domain'),
    'rival.example': refused('blocked'),
    'lab.rival.example': 'lab.rival.example',
    'mail.siemens.com': refused('blocked'),
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    'partner.mailinator.com': 'mailinator.com',
    'mailinator.com': refused('disposable'),
    'gmail.com': refused('free_mail'),
    'basf.com': 'basf.com'
  }
  for (const [domain, outcome] of Object.entries(outcomes)) t.equal(judge(`ana@${domain}`), outcome, domain)
  t.end()
})

t.test('a change of the file works without a restart, and one that cannot be used changes nothing', async (t) => {
  const { judge, errors, path } = open(t, { allow: ['gmail.com'] })
  t.equal(judge('ana@gmail.com'), 'gmail.com')
  writeFileSync(path, JSON.stringify({ block: ['siemens.com'] }))
  await until('the block', () => judge('ana@siemens.com') === refused('blocked'))
  t.equal(judge('ana@gmail.com'), refused('free_mail'))
  writeFileSync(path, '{"block": [')
  await until('the error', () => errors.length === 1)
  t.match(errors, [{ name: 'ConfigError', message: /TABCAST_SANDBOX_DOMAINS_FILE=.*is not JSON/ }])
  t.equal(judge('ana@siemens.com'), refused('blocked'))
})

t.test('a file that cannot be used stops the start', (t) => {
  const wrong: Array<[unknown, RegExp]> = [
    [[], /the file must be object/],
    [{ allowed: [] }, /it looks like \{"allow"/],
    [{ allow: 'gmx.ch' }, /\/allow must be array/],
    [{ allow: ['gmx.ch', 7] }, /\/allow\/1 must be string/],
    [{ block: ['ana@gmx.ch'] }, /\/block\/0 "ana@gmx.ch" is not a domain/],
    [{ block: ['*.gmx.ch'] }, /\/block\/0 "\*.gmx.ch" is not a domain/],
    [{ block: ['a..b'] }, /is not a domain/],
    [{ allow: ['gmx.ch'], block: ['GMX.ch'] }, /\/block\/0 "GMX.ch" is under allow too: take it out of one/]
  ]
  for (const [file, message] of wrong) {
    t.throws(() => open(t, file), { name: 'ConfigError', message }, JSON.stringify(file))
  }
  t.throws(
    () =>
      openCorporateAddresses({
        config: { SANDBOX_DOMAINS_FILE: '/no/such/file.json' },
        onError: (error) => t.error(error)
      }),
    { name: 'ConfigError', message: /TABCAST_SANDBOX_DOMAINS_FILE=\/no\/such\/file.json: ENOENT/ }
  )
  t.end()
})
