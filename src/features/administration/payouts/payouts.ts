// Queries and actions of the operator's payouts.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approvePayouts,
  decidePayout,
  listAdminPayouts,
  listPayoutExports,
  settlePayout,
} from '#contract/payouts/admin-payouts.ts'
import { type PayoutList } from '#contract/payouts/payout-lists.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { payoutsText as words } from './payouts-text.ts'

export const payoutsQuery = (list: PayoutList) => ({
  ...queryFor(listAdminPayouts, { query: { list } }),
  staleTime: 0,
})
export const exportsQuery = { ...queryFor(listPayoutExports, {}), staleTime: 0 }

export type PayoutAction =
  | { readonly is: 'approve'; readonly ids: readonly string[] }
  | { readonly is: 'decide'; readonly id: string; readonly body: BodyOf<typeof decidePayout> }
  | { readonly is: 'settle'; readonly id: string; readonly body: BodyOf<typeof settlePayout> }

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function usePayoutAction(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function perform(action: PayoutAction): Promise<boolean> {
    setBusy(true)
    try {
      toast(...resultOf(action, await send(action)))
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') toast(words.changed, 'error')
      else if (failure.code === 'forbidden') toast(words.own, 'error')
      else if (failure.code === 'unseen') toast(words.unseen, 'error')
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
      return false
    } finally {
      setBusy(false)
      for (const it of [listAdminPayouts, listPayoutExports]) void client.invalidateQueries(queriesOf(it))
    }
  }

  return { busy, perform }
}

async function send(action: PayoutAction): Promise<number> {
  switch (action.is) {
    case 'approve':
      return (await call(approvePayouts, { body: { ids: [...action.ids] } })).changed.length
    case 'decide':
      return (await call(decidePayout, { params: { payout_id: action.id }, body: action.body })).changed
        .length
    case 'settle':
      return (await call(settlePayout, { params: { payout_id: action.id }, body: action.body })).changed
        .length
    default:
      return action satisfies never
  }
}

function resultOf(action: PayoutAction, changed: number): [string, 'success' | 'error'] {
  if (action.is !== 'approve') return [words.done, 'success']
  return changed === 0 ? [words.approvedNone, 'error'] : [words.approved(changed), 'success']
}
