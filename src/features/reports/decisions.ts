// Queries of decisions about the viewer, and the sending of an appeal.
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listOwnDecisions, type OwnDecision, sendAppeal } from '#contract/moderation/decisions.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { decisionsText as words } from './decisions-text.ts'

export const ownDecisionsQuery = infiniteQueryOptions({ ...pagesFor(listOwnDecisions, {}), staleTime: 0 })

/** @param token of the link in an email; undefined for the person's own session */
export function useAppeal(token: string | undefined) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** @returns the decision with its appeal; undefined when it was not sent, and the person has seen the reason */
  async function send(decisionId: string, text: string): Promise<OwnDecision | undefined> {
    setBusy(true)
    try {
      const { decision } = await call(sendAppeal, { body: { decision_id: decisionId, text, token } })
      toast(words.sent, 'success')
      return decision
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(failure.code === 'gone' ? words.over : `${words.failed}${errorText[failure.code]}`, 'error')
      return undefined
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listOwnDecisions))
    }
  }
  return { busy, send }
}
