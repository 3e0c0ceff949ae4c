// The payment provider and the limits, as configured by environment variables.
import { expect, test } from 'vitest'
import { EnvError, readEnv } from './env.ts'
import { noPaymentLimits, paymentSettingsOf } from './payments.ts'

const production = {
  NODE_ENV: 'production',
  OPERATOR_NAME: '株式会社見本',
  OPERATOR_EMAIL: 'contact@todoke.test',
  SMTP_URL: 'smtps://relay.test',
}
const practice = { ...production, PAYMENT_PRACTICE: '1' }
const linkForm = {
  PAYMENT_PROVIDER: 'link-form',
  PAYMENT_URL: 'https://pay.example/form',
  PAYMENT_STORE_ID: '123456',
  PAYMENT_NOTICE_PATH: 'n'.repeat(32),
  PAYMENT_NOTICE_ADDRESSES: '192.0.2.0/24, 2001:db8::/32',
}
const settingsFrom = (source: Record<string, string>) => paymentSettingsOf(readEnv(source))
const sentencesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return error instanceof EnvError ? error.sentences : [`unexpected ${String(error)}`]
  }
}

test('the sandbox is the default outside production, and selling is off in production', () => {
  expect(settingsFrom({})).toMatchObject({
    provider: 'sandbox',
    storeId: 'sandbox',
    noticePath: '',
    sendsCod: false,
    feeRate: 1000,
    secondPersonYen: 30_000,
    sandboxControl: true,
  })
  expect(settingsFrom(production)).toMatchObject({ provider: 'off', sandboxControl: false })
  expect(settingsFrom({ ...practice, PAYMENT_PROVIDER: 'sandbox' }).sandboxControl).toBe(false)
  expect(settingsFrom({ PAYMENT_PROVIDER: 'off' }).provider).toBe('off')
})

test('the hosted sandbox is a setting as the sandbox is, and never the default', () => {
  expect(settingsFrom({ PAYMENT_PROVIDER: 'hosted-sandbox' })).toMatchObject({
    provider: 'hosted-sandbox',
    earlierProviders: [],
    storeId: 'sandbox',
    sandboxControl: true,
  })
  const inProduction = settingsFrom({ ...practice, PAYMENT_PROVIDER: 'hosted-sandbox' })
  expect([settingsFrom(production).provider, inProduction.sandboxControl]).toEqual(['off', false])
})

test.each([
  { PAYMENT_PROVIDER: 'sandbox' },
  { PAYMENT_PROVIDER: 'hosted-sandbox' },
  { PAYMENT_EARLIER_PROVIDERS: 'sandbox' },
])('a server in production does not open a practice provider by mistake: %o', (named) => {
  expect(sentencesOf({ ...production, ...named })).toEqual([expect.stringContaining(' PAYMENT_PRACTICE ')])
  expect(sentencesOf({ ...practice, ...named })).toEqual([])
  expect(sentencesOf(named)).toEqual([])
})

test('a server in production never has a practice provider beside a real one', () => {
  const both = [
    { ...linkForm, PAYMENT_EARLIER_PROVIDERS: 'sandbox' },
    { ...linkForm, PAYMENT_PROVIDER: 'hosted-sandbox', PAYMENT_EARLIER_PROVIDERS: 'link-form' },
  ]
  for (const named of both) {
    expect(sentencesOf({ ...practice, ...named })).toEqual([
      expect.stringContaining(' PAYMENT_EARLIER_PROVIDERS '),
    ])
    expect(sentencesOf(named)).toEqual([])
  }
})

test('money is real in production, unless it is for practice', () => {
  const isReal = [production, practice, { NODE_ENV: 'development' }].map((it) => settingsFrom(it).isReal)
  expect(isReal).toEqual([true, false, false])
})

test('earlier providers stay open, and the link form needs its variables also then', () => {
  const earlier = { PAYMENT_PROVIDER: 'hosted-sandbox', PAYMENT_EARLIER_PROVIDERS: 'link-form, sandbox' }
  expect(settingsFrom({ ...linkForm, ...earlier }).earlierProviders).toEqual(['link-form', 'sandbox'])
  expect(sentencesOf(earlier)).toHaveLength(4)
})

test('a provider whose variables are there stays open, also when nothing or another one sells', () => {
  const off = { ...linkForm, PAYMENT_PROVIDER: 'off' }
  expect(settingsFrom({ ...production, ...off })).toMatchObject({
    provider: 'off',
    earlierProviders: ['link-form'],
  })
  expect(settingsFrom({ ...off, PAYMENT_PROVIDER: 'sandbox' }).earlierProviders).toEqual(['link-form'])
  // One of its variables is missing: it is gone.
  expect(settingsFrom({ ...off, PAYMENT_URL: '' }).earlierProviders).toEqual([])
  // A practice provider needs no variables, and real money is never opened beside a rehearsal.
  expect(settingsFrom(linkForm).earlierProviders).toEqual([])
  const rehearsal = { ...practice, ...linkForm, PAYMENT_PROVIDER: 'sandbox' }
  expect([settingsFrom(rehearsal).earlierProviders, sentencesOf(rehearsal)]).toEqual([[], []])
})

test('new sales are taken unless they are switched off, whatever the provider', () => {
  const selling = [{}, { PAYMENT_NEW_SALES: '1' }, { ...linkForm, PAYMENT_NEW_SALES: '0' }]
  expect(selling.map((it) => settingsFrom(it).isSelling)).toEqual([true, true, false])
})

test('the sandbox accepts notices of every address, the link form only of the listed networks', () => {
  expect(settingsFrom({}).isNoticeAddress('203.0.113.9')).toBe(true)
  const { isNoticeAddress } = settingsFrom(linkForm)
  const accepted = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '192.0.3.7', '2001:db9::1'].filter((it) =>
    isNoticeAddress(it),
  )
  expect(accepted).toEqual(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'])
})

test.each(['PAYMENT_URL', 'PAYMENT_STORE_ID', 'PAYMENT_NOTICE_PATH', 'PAYMENT_NOTICE_ADDRESSES'])(
  'the link form does not start without %s',
  (name) => {
    expect(sentencesOf({ ...linkForm, [name]: '' })).toEqual([expect.stringContaining(` ${name} `)])
  },
)

test('limits are numbers, and off together with the other limits', () => {
  expect(settingsFrom({ PAYMENTS_PER_HOUR: '3', PAYMENT_NEW_ACCOUNT_YEN: '0' }).limits).toEqual({
    begunPerHour: 3,
    refusedPerPerson: 5,
    refusedPerNetwork: 20,
    newAccountYen: 0,
  })
  expect(settingsFrom({ RATE_LIMITS: '0' }).limits).toEqual(noPaymentLimits)
})

test.each([
  ['PAYMENT_PROVIDER', 'stripe'],
  ['PAYMENT_NEW_SALES', 'later'],
  ['PAYMENT_EARLIER_PROVIDERS', 'stripe'],
  ['PAYMENT_EARLIER_PROVIDERS', 'sandbox,,link-form'],
  ['PAYMENT_URL', 'http://pay.example'],
  ['PAYMENT_STORE_ID', '店舗'],
  ['PAYMENT_NOTICE_PATH', 'n'.repeat(31)],
  ['PAYMENT_NOTICE_PATH', `${'n'.repeat(32)}/`],
  ['PAYMENT_NOTICE_ADDRESSES', '1'],
  ['PAYMENT_NOTICE_ADDRESSES', '0.0.0.0/0'],
  ['PAYMENT_NOTICE_ADDRESSES', 'provider.example'],
  ['PAYMENT_SENDS_COD', 'maybe'],
  ['PAYMENT_SANDBOX_CONTROL', 'maybe'],
  ['PAYMENT_PRACTICE', 'maybe'],
  ['PLATFORM_FEE_RATE', '10001'],
  ['PLATFORM_FEE_RATE', '10.5'],
  ['SECOND_PERSON_YEN', '1.5'],
  ['PAYMENTS_PER_HOUR', '-1'],
  ['PAYMENT_REFUSALS_PER_PERSON', 'x'],
  ['PAYMENT_REFUSALS_PER_NETWORK', 'x'],
  ['PAYMENT_NEW_ACCOUNT_YEN', 'x'],
])('%s refuses %s', (name, value) => {
  expect(sentencesOf({ [name]: value })).toEqual([expect.stringContaining(` ${name} `)])
})
