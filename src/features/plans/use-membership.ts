// useMembership: stops, resumes and changes a membership, and reads the lists again.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  cancelMembership,
  changeMembership,
  getPlanOrder,
  type MembershipView,
  resumeMembership,
  revokeMembershipChange,
} from '#contract/memberships/memberships.ts'
import { type JoinedPlan, listJoinedPlans } from '#contract/plans/members.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { membershipText as words } from './membership-text.ts'

/** What a member can order about a membership. */
export type MembershipAction = 'cancel' | 'resume' | 'agree' | 'revoke'

export function useMembership(plan: JoinedPlan, membership: MembershipView) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  /** Sends the order, shows a toast about its result, and reads the lists again. */
  async function perform(action: MembershipAction): Promise<void> {
    setBusy(true)
    try {
      const after = await send(action, plan, membership)
      toast(doneText(action, after), 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      const { code } = failure
      const sentence = code === 'price_changed' ? words.priceChanged : errorText[code]
      toast(`${words.failed}${sentence}`, 'error')
    }
    const lists = [listJoinedPlans, getPlanOrder].map((it) => client.invalidateQueries(queriesOf(it)))
    await Promise.all(lists)
    setBusy(false)
  }

  return { busy, perform }
}

function send(action: MembershipAction, plan: JoinedPlan, membership: MembershipView) {
  const params = { membership_id: membership.id }
  switch (action) {
    case 'cancel':
      return call(cancelMembership, { params, body: {} })
    case 'resume':
      return call(resumeMembership, { params, body: { price: membership.price } })
    case 'agree':
      return call(changeMembership, {
        params,
        body: { plan_id: plan.id, price: membership.offered_price ?? membership.price },
      })
    case 'revoke':
      return call(revokeMembershipChange, { params })
    default:
      return action satisfies never
  }
}

function doneText(action: MembershipAction, after: MembershipView): string {
  switch (action) {
    case 'cancel':
      return after.state === 'cancelling'
        ? words.cancel.done(lastDay(after.paid_until))
        : words.cancel.doneNow
    case 'resume':
      return words.resume.done
    case 'agree':
      return words.offer.done
    case 'revoke':
      return words.change.revoked
    default:
      return action satisfies never
  }
}
