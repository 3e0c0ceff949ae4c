// usePlanPicture, useNewPicture: the picture of a plan, and of one not created yet.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type OwnPlan, putPlanPicture, removePlanPicture } from '#contract/plans/plans.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { PICTURE_POLL_INTERVAL, usePictureChange } from '#src/domain/media/use-picture-change.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { largestOf } from './plan-picture.tsx'
import { ownPlansQuery } from './plans.ts'

/** Largest sent width, twice the displayed one, px. */
const WIDTH = 1600

const isMaking = (plan: OwnPlan | undefined) => plan?.next_picture === 'making'

export function usePlanPicture(planId: string) {
  const client = useQueryClient()
  const plan = useQuery({
    ...ownPlansQuery,
    select: ({ plans }) => plans.find((it) => it.id === planId),
    refetchInterval: ({ state }) =>
      isMaking(state.data?.plans.find((it) => it.id === planId)) ? PICTURE_POLL_INTERVAL : false,
  }).data
  const params = { plan_id: planId }
  const changed = () => client.invalidateQueries({ queryKey: ownPlansQuery.queryKey })
  return usePictureChange({
    now: plan && { url: largestOf(plan.picture), next: plan.next_picture },
    width: WIDTH,
    toast,
    async send(body) {
      await call(putPlanPicture, { params, body })
      await changed()
    },
    async remove() {
      await call(removePlanPicture, { params })
    },
    async onChanged() {
      await Promise.all([changed(), client.invalidateQueries({ queryKey: ['getProfile'] })])
    },
  })
}

/** A picture that is sent after its plan was created. `sendTo` returns whether it arrived, or was not wanted. */
export function useNewPicture() {
  const held = useRef<FormData>(undefined)
  const picture = usePictureChange({
    now: { url: null, next: 'none' },
    width: WIDTH,
    toast,
    async send(form) {
      held.current = form
    },
    async remove() {
      held.current = undefined
    },
    onChanged: () => undefined,
  })
  return {
    picture,
    async sendTo(planId: string): Promise<boolean> {
      if (!held.current) return true
      try {
        await call(putPlanPicture, { params: { plan_id: planId }, body: held.current })
        return true
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        return false
      }
    },
  }
}
