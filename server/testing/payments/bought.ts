// Buys a post by a true notice, and reads purchase histories and receipts.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listPaymentFilters, listPayments, Purchase } from '#contract/payments/history.ts'
import type { ReceiptView } from '#contract/payments/receipts.ts'
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import { begun, notice, noticeFields } from '#server/testing/payments/shop.ts'
import type { World } from '#server/testing/world.ts'

/** Buys a post. @returns the payment's id */
export async function buy(world: World, as: Member, postId: string, price = 500): Promise<string> {
  const { id, fields } = await begun(world, as, postId, { price })
  await notice(world, noticeFields(fields))
  return id
}

/** One page of a person's history. @param query such as `month=2026-11` */
export const historyOf = async (
  world: World,
  as: Member,
  query = '',
): Promise<ReplyOf<typeof listPayments>> => (await call(world, as, 'GET', `/payments?${query}`)).json()

export const purchasesOf = async (world: World, as: Member, query = ''): Promise<Purchase[]> =>
  (await historyOf(world, as, query)).payments

export const filtersOf = async (world: World, as: Member): Promise<ReplyOf<typeof listPaymentFilters>> =>
  (await call(world, as, 'GET', '/payments/filters')).json()

export const issue = (world: World, as: Member | null, id: string, addressee: string): Promise<Reply> =>
  call(world, as, 'POST', `/payments/${id}/receipt`, { addressee })

export const issued = async (
  world: World,
  as: Member,
  id: string,
  addressee = '山田 花子',
): Promise<ReceiptView> => (await issue(world, as, id, addressee)).json()

export const receiptOf = async (world: World, as: Member, id: string): Promise<ReceiptView> =>
  (await call(world, as, 'GET', `/payments/${id}/receipt`)).json()
