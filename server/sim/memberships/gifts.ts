// Complimentary memberships that an admin gives in a story, and ends.
import { newId } from '#contract/ids.ts'
import { ApiError } from '#server/http/errors.ts'
import { endGiven, giveMembership } from '#server/modules/adjustments/complimentary.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { endOfDay } from '#server/rules/plan-state.ts'
import type { ClubStory, Gift } from './story.ts'

/** Gives a plan for some days, unless its fan has it already. */
export async function giveGift({ random, fans, plans, servers, creator, gifts }: ClubStory): Promise<void> {
  const { deps, clock } = servers.steady
  const [{ member }, plan] = [random.pick(fans), random.pick(plans)]
  const day = dayAfter(dayOf(clock.now), random.pick([0, 2, 15, 60]))
  const opened = plans.filter((it) => plan.opensCheaper && it.price < plan.price)
  const gift: Gift = {
    id: newId(),
    fanId: member.id,
    plans: new Set([plan, ...opened].map((it) => it.id)),
    endsAt: Math.min(endOfDay(day), plan.endsAt ?? Number.POSITIVE_INFINITY),
  }
  const asked = {
    id: gift.id,
    plan_id: plan.id,
    member: member.id,
    ends_on: day,
    paid: 0,
    reason: 'お詫び',
    preview: false,
  }
  if (await isDone(() => deps.transaction((unit) => giveMembership(deps, unit, by(creator), asked))))
    gifts.push(gift)
}

/** Ends a gift early. */
export async function endGift({ random, servers, creator, gifts }: ClubStory): Promise<void> {
  const { deps, clock } = servers.steady
  const gift = random.pick(gifts)
  if (await isDone(() => deps.transaction((unit) => endGiven(deps, unit, gift.id, by(creator)))))
    gift.endsAt = clock.now
}

const by = ({ id }: ClubStory['creator']) => ({ actorId: id, ip: '' })

/** Whether an act was done, and not refused. */
async function isDone(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
