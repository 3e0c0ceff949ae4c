// Queries of identity checks for admins, and the actions on a check.
import { infiniteQueryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveCheck,
  getCheck,
  listChecks,
  rejectCheck,
  returnCheck,
  takeCheck,
} from '#contract/identity/admin-identity.ts'
import type { CheckList } from '#contract/identity/check-lists.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { getValidation } from '#contract/accounts/password.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { pagesFor, queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { administrationText as words } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { nextToDecide } from './review/check-order.ts'
import { deskQuery } from './staff/staff.ts'

/** Lists are read again at this interval, since other admins work on them, ms. */
export const LIST_EVERY = 60_000

export const checksQuery = (list: CheckList) =>
  infiniteQueryOptions({
    ...pagesFor(listChecks, { query: { list } }),
    staleTime: 0,
    refetchInterval: LIST_EVERY,
  })
export const checkQuery = (id: string) => ({
  ...queryFor(getCheck, { params: { check_id: id } }),
  staleTime: 0,
})
/** Until when the validation of this session is valid. */
export const confirmationQuery = { ...queryFor(getValidation, {}), staleTime: 0 }

export type CheckAction =
  | { readonly is: 'take' | 'return' }
  | ({ readonly is: 'approve' } & BodyOf<typeof approveCheck>)
  | ({ readonly is: 'reject' } & BodyOf<typeof rejectCheck>)

function send(id: string, action: CheckAction): Promise<unknown> {
  const params = { check_id: id }
  switch (action.is) {
    case 'take':
      return call(takeCheck, { params })
    case 'return':
      return call(returnCheck, { params })
    case 'approve': {
      const { is: _, ...body } = action
      return call(approveCheck, { params, body })
    }
    case 'reject': {
      const { is: _, ...body } = action
      return call(rejectCheck, { params, body })
    }
    default:
      return action satisfies never
  }
}

const done = {
  take: words.taken,
  return: words.givenBack,
  approve: words.approved,
  reject: words.rejected,
} as const

/** Why an action is refused whose check is not in the expected state. */
const conflictOf = {
  take: words.takenByOther,
  return: words.takenByOther,
  approve: words.notHeld,
  reject: words.notHeld,
} as const

/** Reads the waiting checks. @returns the one to decide after this one; undefined without one, or without a reply */
export async function findNextToDecide(client: QueryClient, decided: string): Promise<string | undefined> {
  const [waiting] = await Promise.all([
    client.fetchInfiniteQuery(checksQuery('waiting')).catch(() => undefined),
    // The next check is not read again because of this decision: it begins with the new number of open checks.
    client.fetchQuery(deskQuery).catch(() => undefined),
  ])
  return nextToDecide(waiting?.pages.flatMap((page) => page.checks) ?? [], decided)
}

/** Marks a part of a check that this page was sent whole: the server has recorded it before the last byte. */
export function useMarkShown(checkId: string): (fileId: string) => void {
  const client = useQueryClient()
  return (fileId) =>
    client.setQueryData(checkQuery(checkId).queryKey, (check) => {
      if (!check?.evidence) return check
      const files = check.evidence.files.map((it) => (it.id === fileId ? { ...it, shown: true } : it))
      return { ...check, evidence: { ...check.evidence, files } }
    })
}

/** The actions on a check. Check and lists are read again after each. */
export function useCheckAction(id: string) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<CheckAction['is']>()
  /** @returns whether the action succeeded */
  async function perform(it: CheckAction): Promise<boolean> {
    setBusy(it.is)
    try {
      await send(id, it)
      toast(done[it.is], 'success')
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(failure.code === 'conflict' ? conflictOf[it.is] : errorText[failure.code], 'error')
      return false
    } finally {
      await client.invalidateQueries(queriesOf(getCheck)).catch(() => undefined)
      void client.invalidateQueries(queriesOf(listChecks))
      setBusy(undefined)
    }
  }
  return { busy, perform }
}
