// Decides what the page of a plan's order shows.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getPlanOrder, RunningMembership } from '#contract/memberships/memberships.ts'
import type { PlanState } from '#contract/plans/plans.ts'

export type PlanOrderReply = ReplyOf<typeof getPlanOrder>

export type PlanOrderState =
  | { readonly is: 'join' }
  /** Changes the running membership to this plan. */
  | { readonly is: 'change'; readonly membership: RunningMembership }
  /** A member of this plan. */
  | { readonly is: 'joined' }
  /** The membership of this plan is cancelled, which can be taken back. */
  | { readonly is: 'cancelled'; readonly membership: RunningMembership }
  /** The membership of another plan cannot be changed now. */
  | {
      readonly is: 'other_cancelled' | 'other_stopped' | 'past_due'
      readonly membership: RunningMembership
    }
  /** A membership of this plan ended unpaid, and can be continued as it was. */
  | { readonly is: 'returning'; readonly returning: NonNullable<PlanOrderReply['returning']> }
  /** The change to this plan was ordered before. */
  | { readonly is: 'changing'; readonly membership: RunningMembership }
  | { readonly is: 'own' }
  | { readonly is: 'not_for_sale' }
  | { readonly is: 'under_age' }
  | { readonly is: 'closed'; readonly state: Exclude<PlanState, 'open'> }

/** @param viewerId the person who would join */
export function planOrderState(order: PlanOrderReply, viewerId: string): PlanOrderState {
  const { plan, creator, membership } = order
  if (creator.id === viewerId) return { is: 'own' }
  if (membership?.plan?.id === plan.id && membership.can_resume) return { is: 'cancelled', membership }
  if (order.is_member) return { is: 'joined' }
  if (membership) return changeState(order, membership)
  if (!order.is_for_sale) return { is: 'not_for_sale' }
  if (!order.is_of_age) return { is: 'under_age' }
  if (order.returning) return { is: 'returning', returning: order.returning }
  return plan.state === 'open' ? { is: 'join' } : { is: 'closed', state: plan.state }
}

/** The state for a member of another plan of the creator. */
function changeState({ plan }: PlanOrderReply, membership: RunningMembership): PlanOrderState {
  if (membership.plan?.id === plan.id) return { is: 'joined' }
  if (membership.next?.id === plan.id) return { is: 'changing', membership }
  switch (membership.state) {
    case 'cancelling':
    case 'ended':
      return { is: membership.can_resume ? 'other_cancelled' : 'other_stopped', membership }
    case 'past_due':
      return { is: 'past_due', membership }
    case 'active':
      return plan.state === 'open' ? { is: 'change', membership } : { is: 'closed', state: plan.state }
    default:
      return membership.state satisfies never
  }
}
