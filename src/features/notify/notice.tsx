// Notice: a notice of the operator, in full.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type NoticeView, readNotice } from '#contract/notices/notices.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { notifyText as words } from '#src/domain/notifications/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { LostState } from '#src/ui/states/lost-state.tsx'
import { Formatted } from '#src/ui/text/formatted.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { noticeQuery } from './notifications.ts'

export function Notice({ id }: { id: string }) {
  const { data: notice } = useSuspenseQuery(noticeQuery(id))
  useEffect(() => {
    // Without network the reader is not counted; nothing on the screen depends on it.
    call(readNotice, { params: { notice_id: id } }).catch((failure: unknown) => {
      if (!(failure instanceof ApiFailure)) throw failure
    })
  }, [id])
  return (
    <div className="px-4 pt-6 pb-16 rail:px-6">
      <NoticeArticle notice={notice} />
      <Link to="/notify" className={cx(buttonClass('quiet'), 'mt-8')}>
        {words.toList}
      </Link>
    </div>
  )
}

/** The notice as its readers see it; staff see the same before they publish it. */
export function NoticeArticle({ notice }: { notice: Omit<NoticeView, 'id'> }) {
  const { title, body, content, picture, published_at: at, edited_at: editedAt } = notice
  return (
    <article>
      {notice.is_advertising && <Badge>{words.advertising}</Badge>}
      <h2 className="text-xl font-semibold break-words">{title}</h2>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-soft">
        <time dateTime={at}>{date(Date.parse(at))}</time>
        {editedAt && <span>{words.edited(dateTime(Date.parse(editedAt)))}</span>}
      </p>
      {picture && (
        <img
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt=""
          className="mt-5 h-auto w-full rounded-media bg-sunk"
        />
      )}
      {content ? <Formatted content={content} className="mt-5" /> : <Prose text={body} className="mt-5" />}
    </article>
  )
}

export function NoticeNotFound() {
  return (
    <LostState
      title={words.noticeNotFound}
      text={words.noticeNotFoundText}
      link={{ to: '/notify', label: words.toList }}
    />
  )
}
