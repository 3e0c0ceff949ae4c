// Query and action of the requests for sellers' data.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import { answerSellerRequest, listWaitingSellerRequests } from '#contract/sellers/admin-sellers.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { sellersText as words } from './sellers-text.ts'

export const sellerRequestsQuery = { ...queryFor(listWaitingSellerRequests, {}), staleTime: 0 }

export type SellerAnswerBody = BodyOf<typeof answerSellerRequest>

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useSellerAnswer(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function answer(id: string, body: SellerAnswerBody): Promise<boolean> {
    setBusy(true)
    try {
      await call(answerSellerRequest, { params: { request_id: id }, body })
      toast(words.done, 'success')
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') toast(words.changed, 'error')
      else if (failure.code === 'unseen') toast(words.unseen, 'error')
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
      return false
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listWaitingSellerRequests))
    }
  }

  return { busy, answer }
}
