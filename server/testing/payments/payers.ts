// Members with payments of each state, for the access table.
import { sweepPayments } from '#server/modules/payments/sweep.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { addPurchase, revokePurchase } from '#server/store/posts/posts.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { begun, type BegunPayment, type FormFields, notice, noticeFields } from './shop.ts'

interface Posts {
  readonly creator: Member
  /** Priced posts, also those that cannot be bought any more: the buyers have these as grants. */
  readonly all: readonly string[]
  /** Those that can be bought, for 500 yen. */
  readonly forSale: readonly string[]
}

type Begun = BegunPayment & { readonly fields: FormFields }

/** Members who paid for the posts, were refunded, or began payments that opened nothing. */
export async function addPayers(
  world: World,
  member: () => Promise<Member>,
  { creator, all, forSale }: Posts,
): Promise<Record<'buyer' | 'refunded' | 'paying' | 'cardRefused' | 'expired', Member>> {
  const { deps, clock } = world
  const grants = all.filter((it) => !forSale.includes(it))
  const beginAll = async (it: Member): Promise<Begun[]> => {
    const made: Begun[] = []
    for (const id of forSale) made.push(await begun(world, it, id))
    return made
  }
  const [buyer, refunded, paying] = [await member(), await member(), await member()]
  const [cardRefused, expired] = [await member(), await member()]
  for (const it of await beginAll(buyer)) await notice(world, noticeFields(it.fields))
  for (const it of await beginAll(refunded)) {
    await notice(world, noticeFields(it.fields))
    if (!(await refundPayment(deps, it.id, { actorId: creator.id, ip: '' })))
      throw new Error('a payment of the access table was not paid')
  }
  for (const it of [buyer, refunded])
    for (const id of grants) await addPurchase(deps.db, id, it.id, 0, clock.now)
  for (const id of grants) await revokePurchase(deps.db, id, refunded.id, clock.now)
  await beginAll(paying)
  for (const it of await beginAll(cardRefused)) await notice(world, { ...noticeFields(it.fields), rst: '2' })
  await beginAll(expired)
  const before = new Date(clock.now - 1).toISOString()
  await world.database.executeSql('update payments set expires_at = $2 where user_id = $1', [
    expired.id,
    before,
  ])
  await sweepPayments(deps)
  return { buyer, refunded, paying, cardRefused, expired }
}
