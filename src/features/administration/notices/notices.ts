// Queries of notices for staff, and the calls that change them.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import type { FieldCode } from '#contract/errors.ts'
import {
  actOnNotice,
  addNotice,
  type AudienceBody,
  changeNotice,
  countNoticeAudience,
  getNoticeDetail,
  listBuilds,
  listNotices,
  type NoticeDetail,
  previewNotice,
  putNoticePicture,
  removeNotice,
  removeNoticePicture,
} from '#contract/notices/admin-notices.ts'
import type { NoticeList } from '#contract/notices/notice-states.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { noticesText as words } from './text.ts'

/** While a notice is being delivered, or its picture is made, its page reads it again after this, ms. */
const POLL_EVERY = 2000

/** A scheduled notice is read again when it is due, and every minute before. */
const SCHEDULED_EVERY = 60_000

/** After how many ms a notice is read again; false for one that changes only by an act. */
function pollOf(it: NoticeDetail | undefined): number | false {
  if (it?.state === 'publishing' || it?.picture_state === 'processing') return POLL_EVERY
  if (it?.state !== 'scheduled' || it.published_at === null) return false
  return Math.min(SCHEDULED_EVERY, Math.max(POLL_EVERY, Date.parse(it.published_at) - Date.now()))
}

export const listQuery = (list: NoticeList) => ({
  ...pagesFor(listNotices, { query: { list } }),
  staleTime: 0,
})

export const detailQuery = (id: string) => ({
  ...queryFor(getNoticeDetail, { params: { notice_id: id } }),
  staleTime: 0,
  refetchInterval: (query: { state: { data: NoticeDetail | undefined } }) => pollOf(query.state.data),
})

export const buildsQuery = queryFor(listBuilds, {})
export const audienceQuery = (audience: AudienceBody) => ({
  ...queryFor(countNoticeAudience, { body: { audience } }),
  staleTime: 0,
})
export const previewQuery = (body: string) => queryFor(previewNotice, { body: { body } })

/** `kept`: nothing changed, and the person has seen the reason, or `onUnconfirmed` was called. */
export type Result =
  | { readonly is: 'done'; readonly notice: NoticeDetail }
  | { readonly is: 'refused'; readonly fields: Readonly<Record<string, FieldCode>> }
  | { readonly is: 'kept' }

const showDetail = (client: QueryClient, notice: NoticeDetail) => {
  client.setQueryData(detailQuery(notice.id).queryKey, notice)
  void client.invalidateQueries(queriesOf(listNotices))
}

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useNoticeChange(onUnconfirmed: () => void = () => undefined) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function attempt(request: () => Promise<NoticeDetail>, failed: string): Promise<Result> {
    setBusy(true)
    try {
      const notice = await request()
      showDetail(client, notice)
      return { is: 'done', notice }
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') {
        void client.invalidateQueries(queriesOf(getNoticeDetail))
        toast(words.problems.conflict, 'info')
      } else if (failure.code === 'invalid') return { is: 'refused', fields: failure.fields }
      else toast(`${failed}${errorText[failure.code]}`, 'error')
      return { is: 'kept' }
    } finally {
      setBusy(false)
    }
  }
  const params = (id: string) => ({ notice_id: id })
  const { failed, actFailed } = words.problems
  return {
    busy,
    add: (body: BodyOf<typeof addNotice>) => attempt(() => call(addNotice, { body }), failed),
    change: (id: string, body: BodyOf<typeof changeNotice>) =>
      attempt(() => call(changeNotice, { params: params(id), body }), failed),
    act: (id: string, body: BodyOf<typeof actOnNotice>) =>
      attempt(() => call(actOnNotice, { params: params(id), body }), actFailed),
    sendPicture(id: string, file: File) {
      const body = new FormData()
      body.append('picture', file)
      return attempt(() => call(putNoticePicture, { params: params(id), body }), failed)
    },
    dropPicture: (id: string) => attempt(() => call(removeNoticePicture, { params: params(id) }), failed),
    /** @returns whether the draft was deleted */
    async remove(id: string): Promise<boolean> {
      setBusy(true)
      try {
        await call(removeNotice, { params: params(id) })
        void client.invalidateQueries(queriesOf(listNotices))
        toast(words.removed, 'success')
        return true
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        toast(`${actFailed}${errorText[failure.code]}`, 'error')
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
