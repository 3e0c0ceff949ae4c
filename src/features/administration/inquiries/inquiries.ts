// Queries and actions of inquiries for staff.
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallInput } from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { getInquiry, listInquiries } from '#contract/inquiries/admin-inquiries.ts'
import type { InquiryKind, InquiryList } from '#contract/inquiries/states.ts'
import { getTransparency } from '#contract/inquiries/transparency.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { inquiriesText as words } from './text.ts'

export interface InquiriesView {
  readonly list: InquiryList
  readonly kind: InquiryKind | undefined
  /** Whether overdue ones alone are listed. */
  readonly late: boolean
}

/** Lists are read again every minute, since other staff work on them. */
const EVERY = 60_000

export const inquiriesQuery = ({ list, kind, late }: InquiriesView) =>
  infiniteQueryOptions({
    ...pagesFor(listInquiries, {
      query: { list, ...(kind === undefined ? {} : { kind }), ...(late ? { late: '1' as const } : {}) },
    }),
    staleTime: 0,
    refetchInterval: EVERY,
  })

export const inquiryQuery = (id: string) => ({
  ...queryFor(getInquiry, { params: { inquiry_id: id } }),
  staleTime: 0,
})

export const speedQuery = { ...queryFor(getTransparency, {}), staleTime: 600_000 }

/** The sentence of a refusal; undefined for one that needs none. */
function sentenceOf({ code, fields }: ApiFailure, conflict: string): string {
  if (code === 'conflict') return conflict
  if (code === 'unseen') return words.unseen
  if (fields?.['measure']) return words.needsMeasure
  if (fields?.['opinion']) return words.needsOpinion
  return `${words.failed}${errorText[code]}`
}

/**
 * Performs actions on inquiries, and reads the lists and the inquiry again after each.
 * @param onUnconfirmed is called when the person has to confirm who they are first
 */
export function useInquiryAction(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** @returns whether it was done */
  async function perform<E extends Endpoint>(
    endpoint: E,
    args: CallInput<E>,
    done?: string,
    conflict: string = words.changed,
  ): Promise<boolean> {
    setBusy(true)
    try {
      await (call(endpoint, args) as Promise<ReplyOf<E>>)
      if (done !== undefined) toast(done, 'success')
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(sentenceOf(failure, conflict), 'error')
      return false
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listInquiries))
      void client.invalidateQueries(queriesOf(getInquiry))
    }
  }
  return { busy, perform }
}
