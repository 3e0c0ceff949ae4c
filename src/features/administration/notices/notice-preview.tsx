// NoticePreview: a notice as its readers would get it, while it is written.
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useId, useState } from 'react'
import { notificationText } from '#contract/notifications/notification-text.ts'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import type { NoticeView } from '#contract/notices/notices.ts'
import type { NoticeForm } from './notice-form.ts'
import { previewQuery } from './notices.ts'
import { noticesText as words } from './text.ts'

/** Draws a notice as its readers see it. */
export type ArticleView = ComponentType<{ notice: Omit<NoticeView, 'id'> }>

interface NoticePreviewProps {
  form: NoticeForm
  stored: NoticeDetail | undefined
  Article: ArticleView
}

/** A text is sent to the parser of the server once it has not changed for so long, ms. */
const QUIET_MS = 400

function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), QUIET_MS)
    return () => clearTimeout(timer)
  }, [value])
  return quiet
}

export function NoticePreview({ form, stored, Article }: NoticePreviewProps) {
  const id = useId()
  const [openedAt] = useState(() => new Date().toISOString())
  const body = useQuiet(form.body)
  const { data } = useQuery({ ...previewQuery(body), placeholderData: (before) => before })
  const title = form.title.trim()
  const excerpt = form.advertising ? `【${words.advertising}】${title}` : title
  const push = notificationText({ setting_cd: 'notice' }, { name: null, others: 0, excerpt })
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div>
        <h2 id={id} className="font-semibold">
          {words.preview}
        </h2>
        <p className="text-sm text-soft">{words.previewLead}</p>
      </div>
      {form.urgent && (
        <Frame label={words.bar}>
          <p className="font-semibold break-words">{title}</p>
        </Frame>
      )}
      {form.pushes && (
        <Frame label={words.push}>
          <p className="font-semibold">{push.title}</p>
          <p className="break-words">{push.body}</p>
        </Frame>
      )}
      <Frame label={words.page}>
        {data && data.content.length > 0 ? (
          <Article
            notice={{
              title,
              body: data.body,
              content: data.content,
              picture: stored?.picture ?? null,
              is_advertising: form.advertising,
              published_at: stored?.published_at ?? openedAt,
              edited_at: stored?.edited_at ?? null,
            }}
          />
        ) : (
          <p className="text-soft">{words.previewEmpty}</p>
        )}
      </Frame>
    </section>
  )
}

function Frame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure>
      <figcaption className="pb-1 text-sm text-soft">{label}</figcaption>
      <div className="rounded-media border border-line bg-paper px-4 py-3">{children}</div>
    </figure>
  )
}
