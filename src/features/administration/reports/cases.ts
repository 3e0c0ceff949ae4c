// Queries and actions of cases.
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readPerson } from '#contract/administration/people.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import type { CallInput } from '#contract/client.ts'
import type { CaseOrder, CaseState } from '#contract/moderation/case-states.ts'
import { getCase, listCases } from '#contract/moderation/cases.ts'
import { listPersonContent, readPersonCases } from '#contract/moderation/person-cases.ts'
import { listTemplates } from '#contract/moderation/templates.ts'
import type { ReportKind } from '#contract/posts/reports.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { casesText as words } from './text.ts'

export interface CaseView {
  readonly state: CaseState
  readonly kind: ReportKind | undefined
  readonly order: CaseOrder
  /** The person whom the cases are about, and the one who reported them. */
  readonly about?: string | undefined
  readonly by?: string | undefined
}

/** Lists are read again every minute, since other staff work on them. */
const EVERY = 60_000

export const casesQuery = ({ state, kind, order, about, by }: CaseView) =>
  infiniteQueryOptions({
    ...pagesFor(listCases, {
      query: { state, order, ...(kind && { kind }), ...(about && { about }), ...(by && { by }) },
    }),
    staleTime: 0,
    refetchInterval: EVERY,
  })

export const caseQuery = (id: string) => ({
  ...queryFor(getCase, { params: { case_id: id } }),
  staleTime: 0,
})

export const templatesQuery = { ...queryFor(listTemplates, {}), staleTime: 60_000 }

/** Marks the messages of a case that this page was sent: the server recorded it before the reply. */
export function useMarkRead(caseId: string): () => void {
  const client = useQueryClient()
  return () =>
    client.setQueryData(caseQuery(caseId).queryKey, (read) => {
      const messages = read?.case.messages
      return messages ? { ...read, case: { ...read.case, messages: { ...messages, shown: true } } } : read
    })
}

/** `done`: the sheet can close. `kept`: nothing changed, and the person has seen the reason. */
export type ActionResult = 'done' | 'kept'

/**
 * Performs actions on cases, and reads the lists and the case again after each.
 * @param onUnconfirmed is called when the person has to confirm who they are first
 */
export function useCaseAction(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function perform<E extends Endpoint>(
    endpoint: E,
    args: CallInput<E>,
    done: string | undefined,
    conflict: string = words.changed,
  ): Promise<ActionResult> {
    setBusy(true)
    try {
      await (call(endpoint, args) as Promise<ReplyOf<E>>)
      if (done !== undefined) toast(done, 'success')
      return 'done'
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') toast(conflict, 'error')
      else if (failure.code === 'unseen') toast(words.unseen, 'error')
      else if (failure.code === 'gone') toast(words.gone, 'error')
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
      return 'kept'
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listCases))
      for (const it of [getCase, readPerson, readPersonCases, listPersonContent])
        void client.invalidateQueries(queriesOf(it))
    }
  }
  return { busy, perform }
}
