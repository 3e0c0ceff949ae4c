// Tests a creator's bank account: who may store one, what is shown, and attacks.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BANK_ACCOUNT_HELD_MS } from '#contract/payouts/bank-account.ts'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { leave, validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { openAccount } from './sealed-account.ts'

const account = {
  bank_code: '9900',
  branch_code: '018',
  type: '1',
  number: '1234567',
  holder: 'ヤマダ　ハナコ',
  residence: 'japan',
}
const PATH = '/payouts/bank-account'
const put = (world: World, as: Member | null, change: object = {}) =>
  call(world, as, 'PUT', PATH, { ...account, ...change })
const get = async (world: World, as: Member) => (await call(world, as, 'GET', PATH)).json()
const remove = (world: World, as: Member) => call(world, as, 'DELETE', PATH)
const subjectsTo = async (world: World, as: Member) =>
  (await emailsTo(world, as.email)).map((it) => it.is).filter((it) => it.startsWith('bank_account'))

/** Sets the legal name that the identity check had before its approval. */
async function named(world: World, person: Member, kana: string): Promise<void> {
  const body = { name: '名前', birth_date: '1990-04-01', legal_name: '山田花子', legal_name_kana: kana }
  const reply = await call(world, person, 'PUT', '/auth/info', body)
  expect(reply.statusCode).toBe(200)
}

/** An adult with an approved identity check and a proven password. */
async function openCreator(world: World, kana = ''): Promise<Member> {
  const person = await signUp(world)
  if (kana !== '') await named(world, person, kana)
  await identify(world, person)
  await validate(world, person)
  return person
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a bank account', () => {
    let world: World
    let creator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      creator = await openCreator(world)
    })

    test('the first account is shown masked, is not held, and is announced by email', async () => {
      const reply = await put(world, creator)
      expect(reply.json()).toEqual({
        account: {
          bank: { code: '9900', name: 'ゆうちょ' },
          branch: { code: '018', name: '〇一八' },
          type: '1',
          last_digits: '567',
          name_check: 'unknown',
          changed_at: new Date(world.clock.now).toISOString(),
          held_until: null,
          residence: { is: 'japan', at: new Date(world.clock.now).toISOString() },
        },
        may_store: 'yes',
        legal_name_kana: '',
      })
      expect(reply.body).not.toContain('1234567')
      expect(reply.body).not.toContain('ヤマダ')
      expect(await get(world, creator)).toEqual(reply.json())
      const [email] = await emailsTo(world, creator.email)
      expect(email).toEqual({
        is: 'bank_account_stored',
        place: 'ゆうちょ 〇一八',
        number: '＊＊＊＊567',
        at: world.clock.now,
        heldUntil: null,
      })
    })

    test('number and holder are stored sealed for their owner alone', async () => {
      await put(world, creator)
      const { rows } = await world.database.executeSql(
        `select to_jsonb(b)::text as row from bank_accounts b where user_id = $1`,
        [creator.id],
      )
      const stored = defined((rows as { row: string }[])[0]?.row)
      expect(stored).not.toContain('1234')
      expect(stored).not.toContain('ヤマダ')
      const row = await findBankAccount(world.deps.db, creator.id)
      if (!row) throw new Error('no row')
      expect(openAccount(world.deps, row)).toEqual({ number: '1234567', holder: 'ヤマダ　ハナコ' })
      // A row that was copied to another person cannot be paid to.
      expect(() => openAccount(world.deps, { ...row, userId: world.deps.settings.publicUrl })).toThrow(
        'unable to authenticate',
      )
    })

    test('a change holds payouts for three days and is announced by email', async () => {
      await put(world, creator)
      const changed = await put(world, creator, { number: '7654321' })
      const until = new Date(world.clock.now + BANK_ACCOUNT_HELD_MS).toISOString()
      expect(changed.json().account).toMatchObject({ last_digits: '321', held_until: until })
      expect(await subjectsTo(world, creator)).toEqual(['bank_account_stored', 'bank_account_stored'])
      world.clock.now += BANK_ACCOUNT_HELD_MS
      expect((await get(world, creator)).account.held_until).toBeNull()
    })

    test('the same account again changes nothing and sends no email', async () => {
      await put(world, creator)
      expect((await put(world, creator)).json().account.held_until).toBeNull()
      expect(await subjectsTo(world, creator)).toHaveLength(1)
    })

    test('a removed account is emptied, and one that is stored instead is a change', async () => {
      await put(world, creator)
      expect((await remove(world, creator)).json().account).toBeNull()
      expect((await remove(world, creator)).statusCode).toBe(200)
      const { rows } = await world.database.executeSql(
        `select bank_code, branch_code, last_digits, sealed from bank_accounts where user_id = $1`,
        [creator.id],
      )
      expect(rows).toEqual([{ bank_code: '', branch_code: '', last_digits: '', sealed: '' }])
      expect((await put(world, creator)).json().account.held_until).not.toBeNull()
      expect(await subjectsTo(world, creator)).toEqual([
        'bank_account_stored',
        'bank_account_removed',
        'bank_account_stored',
      ])
    })

    test.each([
      ['ヤマダ　ハナコ', 'same'],
      ['ヤマダハナコ', 'same'],
      ['ヤマダ　タロウ', 'differs'],
    ])('with the reviewed reading ヤマダ　ハナコ the holder %s is %s', async (holder, check) => {
      const person = await openCreator(world, 'ヤマダ　ハナコ')
      expect((await put(world, person, { holder })).json().account.name_check).toBe(check)
    })

    test('a reading that was changed after the approval proves nothing, another display name does not matter', async () => {
      const person = await openCreator(world, 'ヤマダ　ハナコ')
      world.clock.now += 1000
      await named(world, person, 'ヤマダ　ハナコ')
      expect((await put(world, person)).json().account.name_check).toBe('same')
      await named(world, person, 'スズキ　イチロウ')
      const other = { holder: 'スズキ　イチロウ' }
      expect((await put(world, person, other)).json().account.name_check).toBe('unknown')
    })

    test('two different accounts at once leave one of them, held as a change', async () => {
      const numbers = Array.from({ length: 8 }, (_, index) => `000000${index}`)
      const replies = await Promise.all(numbers.map((number) => put(world, creator, { number })))
      expect(replies.map((it) => it.statusCode)).toEqual(numbers.map(() => 200))
      const { account: left } = await get(world, creator)
      expect(left.held_until).not.toBeNull()
      const row = await findBankAccount(world.deps.db, creator.id)
      if (!row) throw new Error('no row')
      expect(openAccount(world.deps, row).number.slice(-3)).toBe(left.last_digits)
      expect(await subjectsTo(world, creator)).toHaveLength(8)
    })

    test('eight equal requests at once store the account once', async () => {
      await Promise.all(Array.from({ length: 8 }, () => put(world, creator)))
      expect((await get(world, creator)).account.held_until).toBeNull()
      expect(await subjectsTo(world, creator)).toHaveLength(1)
    })

    test('another person sees and changes nothing of it', async () => {
      await put(world, creator)
      const other = await openCreator(world)
      expect((await get(world, other)).account).toBeNull()
      await remove(world, other)
      await put(world, other, { user_id: creator.id, userId: creator.id, number: '0000000' })
      expect((await get(world, creator)).account.last_digits).toBe('567')
      expect(errorOf(await call(world, null, 'GET', PATH)).code).toBe('unauthenticated')
      expect(errorOf(await put(world, null)).code).toBe('unauthenticated')
    })

    test('storing and removing require a password that was proven within ten minutes', async () => {
      await put(world, creator)
      world.clock.now += VALIDATION_MS
      expect(errorOf(await put(world, creator, { number: '0000001' })).code).toBe('validation_required')
      expect(errorOf(await remove(world, creator)).code).toBe('validation_required')
      expect((await get(world, creator)).account.last_digits).toBe('567')
    })

    test('only adults with an approved identity check store one', async () => {
      const unknown = await signUp(world)
      await validate(world, unknown)
      expect(errorOf(await put(world, unknown)).code).toBe('identity_required')
      expect((await get(world, unknown)).may_store).toBe('identity_required')
      const young = await identify(world, await signUp(world, '2012-04-01'))
      await validate(world, young)
      expect(errorOf(await put(world, young)).code).toBe('under_age')
      expect((await get(world, young)).may_store).toBe('under_age')
    })

    test.each<[name: string, change: object, fields: object]>([
      ['a bank that does not exist', { bank_code: '0002' }, { branch_code: 'unknown_branch' }],
      ['a branch of another bank', { branch_code: '001' }, { branch_code: 'unknown_branch' }],
      ['a code with letters', { bank_code: '99O0' }, { bank_code: 'malformed' }],
      ['a number of six digits', { number: '123456' }, { number: 'malformed' }],
      ['a number of eight digits', { number: '12345678' }, { number: 'malformed' }],
      ['full-width digits', { number: '１２３４５６７' }, { number: 'malformed' }],
      ['another type', { type: '9' }, { type: 'malformed' }],
      ['a holder in kanji', { holder: '山田花子' }, { holder: 'account_name' }],
      ['a holder that no transfer file has', { holder: 'ヷ' }, { holder: 'account_name' }],
      ['no residence', { residence: undefined }, { residence: 'required' }],
      ['another residence', { residence: 'moon' }, { residence: 'required' }],
      ['no holder', { holder: '　' }, { holder: 'required' }],
      ['a holder of 101 characters', { holder: 'ア'.repeat(101) }, { holder: 'too_long' }],
      ['a holder of a million characters', { holder: 'ア'.repeat(300_000) }, { holder: 'too_long' }],
      ['a holder with line ends', { holder: 'ヤマダ\r\n9' }, { holder: 'account_name' }],
    ])('%s is refused at its field', async (_, change, fields) => {
      const refused = errorOf(await put(world, creator, change))
      expect(refused).toEqual({ code: 'invalid', fields })
      expect((await get(world, creator)).account).toBeNull()
    })

    test('a body above the limit of requests is refused', async () => {
      expect(errorOf(await put(world, creator, { holder: 'ア'.repeat(400_000) })).code).toBe('too_large')
    })

    test('a leaving person cannot change the account', async () => {
      await put(world, creator)
      await leave(world, creator)
      await validate(world, creator)
      expect(errorOf(await put(world, creator, { number: '0000001' })).code).toBe('leaving')
    })

    test('the data export has the account masked', async () => {
      await put(world, creator)
      const entries = await exportOf(world, creator)
      const entry = defined(entries.find((it) => it.name === 'bank-account.json')?.bytes.toString())
      expect(JSON.parse(entry)).toMatchObject({
        bank_code: '9900',
        branch_code: '018',
        last_digits: '567',
        residence: 'japan',
      })
      expect(entry).not.toContain('1234567')
    })
  })
})

test('the eleventh change within an hour is refused', async () => {
  const limits = { ...noLimits, bankAccounts: { max: 10, timeWindow: 3600_000 } }
  const world = await openWorld({ settings: { limits } })
  try {
    const creator = await openCreator(world)
    for (let index = 0; index < 10; index++)
      expect((await put(world, creator, { number: `000000${index}` })).statusCode).toBe(200)
    expect(errorOf(await put(world, creator)).code).toBe('rate_limited')
  } finally {
    await world.close()
  }
})

test('banks and branches are found by members, and a long or broken search is refused', async () => {
  const world = await openWorld()
  try {
    const member = await signUp(world)
    const found = await call(world, member, 'GET', `/banks?q=${encodeURIComponent('ゆうちょ銀行')}`)
    expect(found.json()).toEqual({ banks: [{ code: '9900', name: 'ゆうちょ', kana: 'ユウチヨ' }] })
    const branches = await call(world, member, 'GET', '/banks/9900/branches?q=018')
    expect(branches.json()).toEqual({ branches: [{ code: '018', name: '〇一八', kana: 'ゼロイチハチ' }] })
    expect((await call(world, member, 'GET', '/banks')).json().banks).toHaveLength(20)
    expect(errorOf(await call(world, member, 'GET', '/banks/0002/branches')).code).toBe('not_found')
    expect(errorOf(await call(world, member, 'GET', '/banks/..%2F/branches')).code).not.toBe('internal')
    expect(errorOf(await call(world, member, 'GET', `/banks?q=${'a'.repeat(51)}`)).fields).toEqual({
      q: 'too_long',
    })
    expect(errorOf(await call(world, null, 'GET', '/banks')).code).toBe('unauthenticated')
  } finally {
    await world.close()
  }
})
