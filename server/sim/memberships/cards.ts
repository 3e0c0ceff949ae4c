// Changes of cards in a story, and what they must not change.
import { newId } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getMembershipCard } from '#contract/memberships/card.ts'
import { killSoon } from '#server/sim/deliveries.ts'
import { call } from '#server/testing/people/members.ts'
import { type BegunPayment, fieldsOf } from '#server/testing/payments/shop.ts'
import { payForm } from './fans.ts'
import type { ClubMembership, ClubObserved } from './observed.ts'
import type { ClubStory, Kept } from './story.ts'

/** A fan changes the card of any membership, also of one that has ended, or of one whose page was opened before. */
export async function changeCard(story: ClubStory): Promise<void> {
  const { random, servers, fans, plans, forms, confirmed, observed } = story
  const it = random.pick(observed.memberships)
  const fan = fans.find(({ member }) => member.id === it.user_id)
  const plan = plans.find(({ id }) => id === it.plan_id)
  if (!fan || !plan) return
  const path = `/memberships/${it.id}/card`
  const page = await call(servers.steady, fan.member, 'GET', path)
  if (page.statusCode !== 200) return
  const { act, price } = page.json<ReplyOf<typeof getMembershipCard>>()
  const isKilled = random.chance(0.15)
  if (isKilled) killSoon(story)
  const world = isKilled ? servers.fragile : servers.steady
  const known = confirmed.get(it.id)
  const body = { payment_id: newId(), act, price: random.chance(0.95) ? price : 100 }
  const reply = await call(world, fan.member, 'POST', path, body)
  servers.crashes.restart()
  if (reply.statusCode !== 200) return
  const begun = reply.json<BegunPayment>()
  if (!begun.start) return
  // Who begins the form of a membership whose charges have stopped wants it to go on.
  if (known && it.state !== 'active' && it.state !== 'past_due') known.isStopped = false
  forms.push({ paymentId: begun.id, fan, plan, form: fieldsOf(begun) })
  if (random.chance(0.7)) payForm(story, forms.at(-1))
}

function keptOf(it: ClubMembership, { grants }: ClubObserved, before: Kept | undefined): Kept {
  const own = grants.filter((grant) => grant.membership_id === it.id)
  const opened = own.map(
    (grant) => [grant.plan_id, { joinedAt: grant.joined_at, opensFrom: grant.opens_from }] as const,
  )
  return {
    formId: it.form_id ?? it.id,
    planId: it.plan_id,
    prices: new Set([it.price, it.next_price ?? it.price]),
    joinedAt: it.joined_at,
    // What closes with the end opens again as it was.
    opened: new Map(opened.length > 0 ? opened : before?.opened),
  }
}

/** With another card, price, day of joining and what is open are as before; only a confirmed change is made as well. */
export function checkCards(story: ClubStory, observed: ClubObserved): string[] {
  return observed.memberships.flatMap((it) => {
    const before = story.kept.get(it.id)
    const after = keptOf(it, observed, before)
    story.kept.set(it.id, after)
    if (!before) return []
    const problems = before.joinedAt === after.joinedAt ? [] : ['a membership has another day of joining']
    if (before.formId === after.formId) return problems
    if (!before.prices.has(it.price)) problems.push(`with another card a member pays ${it.price}`)
    if (before.planId !== after.planId) return problems
    for (const [planId, was] of before.opened) {
      const is = after.opened.get(planId)
      if (is && (is.joinedAt !== was.joinedAt || is.opensFrom !== was.opensFrom))
        problems.push('with another card the posts of a plan are open from another day on')
    }
    return problems
  })
}
