// useReordering: moves plans in their list, and saves each move.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { orderPlans, type OwnPlan } from '#contract/plans/plans.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { moved } from '#src/ui/use-sortable.ts'
import { ownPlansQuery } from './plans.ts'
import { planText } from './text.ts'

const words = planText.own

/** @returns the plans in the order as moved, and a sentence about the last move for screen readers */
export function useReordering(plans: readonly OwnPlan[]) {
  const client = useQueryClient()
  const [ids, setIds] = useState<readonly string[]>()
  const [said, setSaid] = useState('')
  // Moves are sent one after the other: a later order must not arrive first.
  const sending = useRef<Promise<void>>(Promise.resolve())
  const latest = useRef<readonly string[]>(undefined)

  const shown = ids ? plans.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) : plans

  async function save(order: readonly string[]): Promise<void> {
    // A later move has replaced this one.
    if (latest.current !== order) return
    try {
      client.setQueryData(ownPlansQuery.queryKey, await call(orderPlans, { body: { plan_ids: [...order] } }))
      void client.invalidateQueries({ queryKey: ['getProfile'] })
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.notMoved}${errorText[failure.code]}`, 'error')
    }
    if (latest.current === order) setIds(undefined)
  }

  return {
    shown,
    said,
    move(from: number, to: number) {
      const plan = shown[from]
      if (!plan) return
      const order = moved(
        shown.map((it) => it.id),
        from,
        to,
      )
      latest.current = order
      setIds(order)
      setSaid(words.movedTo(plan.name, to + 1, shown.length))
      sending.current = sending.current.then(() => save(order))
    },
  }
}
