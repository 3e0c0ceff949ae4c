// Creators with a closed month of sales, and admins who pay them.
import type { ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { AdminPayout, listAdminPayouts } from '#contract/payouts/admin-payouts.ts'
import type { PayoutOverview } from '#contract/payouts/payouts.ts'
import type { Residence } from '#contract/payouts/residence.ts'
import { dayOf, monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { RECORD } from '#server/rules/payouts/transfer-records.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo } from '#server/testing/payments/sold.ts'
import { admin } from '#server/testing/people/identity.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, identify, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

/**
 * Creators whose posts of these prices were sold in the current month, which is closed afterwards. The share is 90 %. The clock
 * then is at the beginning of the next month.
 */
export async function soldLastMonth(world: World, ...prices: (readonly number[])[]): Promise<Member[]> {
  const month = monthOf(world.clock.now)
  world.clock.now = inTokyo(`${month}-20T12:00`)
  const creators: Member[] = []
  for (const sold of prices) {
    const creator = await identify(world, await signUp(world))
    for (const price of sold)
      await buy(world, await signUp(world), await pricedPost(world, creator, price), price)
    creators.push(creator)
  }
  await closeAt(world, `${monthAfter(month)}-01T01:00`)
  return creators
}

/** One such creator. */
export async function soldOnce(world: World, ...prices: number[]): Promise<Member> {
  const [creator] = await soldLastMonth(world, prices)
  if (!creator) throw new Error('there is no creator')
  return creator
}

/** The day on which a payout of now is made. */
export const dueOf = (world: World): string => dueDay(dayOf(world.clock.now))

export async function storeAccount(
  world: World,
  creator: Member,
  number = '1234567',
  residence: Residence = 'japan',
): Promise<Reply> {
  await validate(world, creator)
  return call(world, creator, 'PUT', '/payouts/bank-account', {
    bank_code: '0001',
    branch_code: '001',
    type: '1',
    number,
    holder: 'ヤマダ　ハナコ',
    residence,
  })
}

export const overviewOf = async (world: World, as: Member): Promise<PayoutOverview> =>
  (await call(world, as, 'GET', '/payouts')).json()

/** Requests what is available, or another amount. */
export async function request(world: World, as: Member, more: object = {}): Promise<Reply> {
  const { available } = await overviewOf(world, as)
  return call(world, as, 'POST', '/payouts', { id: newId(), amount: available, ...more })
}

/** An admin with a proven password. */
export async function operator(world: World): Promise<Member> {
  const it = await admin(world)
  await validate(world, it)
  return it
}

export const listed = async (
  world: World,
  as: Member,
  list: string,
): Promise<ReplyOf<typeof listAdminPayouts>> =>
  (await call(world, as, 'GET', `/admin/payouts?list=${list}`)).json()

/** The creator's payout in a list of the operator. */
export async function payoutIn(
  world: World,
  as: Member,
  list: string,
  creator: Member,
): Promise<AdminPayout | undefined> {
  return (await listed(world, as, list)).payouts.find((it) => it.creator.id === creator.id)
}

export const listOpen = (world: World, as: Member): Promise<Reply> =>
  call(world, as, 'GET', '/admin/payouts?list=open')

/** Reads the list of open payouts and approves some of them. */
export async function approve(world: World, as: Member, ...ids: string[]): Promise<Reply> {
  await listOpen(world, as)
  return approveUnread(world, as, ...ids)
}

/** Approves payouts that a list may not have shown. */
export const approveUnread = (world: World, as: Member, ...ids: string[]): Promise<Reply> =>
  call(world, as, 'POST', '/admin/payouts/approve', { ids })

export const makeFile = (
  world: World,
  as: Member,
  id: string = newId(),
  day = dueOf(world),
): Promise<Reply> => call(world, as, 'POST', '/admin/payouts/exports', { id, day })

export const readFile = (world: World, as: Member | null, id: string): Promise<Reply> =>
  call(world, as, 'GET', `/admin/payouts/exports/${id}/file`)

export const settle = (world: World, as: Member, id: string, body: object): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payouts/${id}/result`, body)

export const decide = (world: World, as: Member, id: string, body: object): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payouts/${id}/decision`, body)

/** A requested payout of a creator with an account. @returns its id */
export async function requested(world: World, creator: Member): Promise<string> {
  await storeAccount(world, creator)
  const id = newId()
  await request(world, creator, { id })
  return id
}

/** Sets the comparison of the account's holder with the verified name. */
export async function setNameCheck(world: World, creator: Member, check: string): Promise<void> {
  await rowsOf(world, 'update bank_accounts set name_check = $2 where user_id = $1', [creator.id, check])
}

export const voidFile = (world: World, as: Member, id: string, more: object = {}): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payouts/exports/${id}/void`, {
    reason: '銀行がファイルを受け付けませんでした。',
    not_executed: true,
    ...more,
  })

/** Records what the bank took for a file, as its first record unless `more` says what it replaces. */
export const recordFee = (
  world: World,
  as: Member,
  exportId: string,
  fee: unknown,
  more: object = {},
): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payouts/exports/${exportId}/bank-fees`, {
    id: newId(),
    fee,
    replaces: null,
    preview: false,
    ...more,
  })

/** A transfer file as the bank returns it, with a result digit in each transfer. */
export function withResult(file: Buffer, digit: string): Buffer {
  const bytes = Buffer.from(file)
  for (let at = 0; at < bytes.length; at += RECORD + 2)
    if (bytes[at] === 0x32) bytes.write(digit, at + 113, 'latin1')
  return bytes
}

export const sendResults = (world: World, as: Member, file: Buffer): Promise<Reply> =>
  call(world, as, 'POST', '/admin/payouts/results', { file: file.toString('base64') })
