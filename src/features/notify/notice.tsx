// Notice: a notice of the operator, in full.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { date } from '#src/lib/format.ts'
import { notifyText as words } from '#src/domain/notifications/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { LostState } from '#src/ui/states/lost-state.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { noticeQuery } from './notifications.ts'

export function Notice({ id }: { id: string }) {
  const { data: notice } = useSuspenseQuery(noticeQuery(id))
  return (
    <article className="px-4 pt-6 pb-16 rail:px-6">
      <h2 className="text-xl font-semibold break-words">{notice.title}</h2>
      <p className="mt-1 text-sm text-soft">
        <time dateTime={notice.published_at}>{date(Date.parse(notice.published_at))}</time>
      </p>
      <Prose text={notice.body} className="mt-5" />
      <Link to="/notify" className={cx(buttonClass('quiet'), 'mt-8')}>
        {words.toList}
      </Link>
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
