// ContentPart: the posts and comments of a person, each with an act.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import type { PersonContent } from '#contract/moderation/person-cases.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { measuresText } from './measures-text.ts'
import { contentQuery } from './people.ts'
import type { OpenedCases } from './use-opened-case.ts'

const words = measuresText.content
const kinds = ['post', 'comment'] as const
type Kind = (typeof kinds)[number]

interface ContentPartProps {
  userId: string
  opened: OpenedCases
  failed: Failed
  list: Ref<HTMLUListElement>
}

export function ContentPart(props: ContentPartProps) {
  // Each reading is an audit entry: the list is read on request.
  const [shown, setShown] = useState<Kind>()
  return (
    <section aria-labelledby="content" className="pt-8">
      <h3 id="content" className="px-4 pb-1 font-semibold">
        {words.title}
      </h3>
      <p className="px-4 pb-3 text-sm text-soft">{words.lead}</p>
      {shown === undefined ? (
        <div className="px-4">
          <Button look="quiet" size="small" onClick={() => setShown('post')}>
            {words.show}
          </Button>
        </div>
      ) : (
        <Tabs<Kind>
          label={words.title}
          value={shown}
          onChange={setShown}
          tabs={kinds.map((kind) => ({
            value: kind,
            label: words.tabs[kind],
            panel: <Content {...props} kind={kind} />,
          }))}
        />
      )}
    </section>
  )
}

function Content({ userId, kind, opened, failed, list }: ContentPartProps & { kind: Kind }) {
  const pages = useInfiniteQuery(contentQuery(userId, kind))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const content = pages.data.pages.flatMap((page) => page.content)
  if (content.length === 0)
    return <EmptyState drawing="letter" title={words.none[kind]} text={words.noneText} />
  return (
    <>
      <ul ref={list} aria-label={words.tabs[kind]}>
        {content.map((it) => (
          <Row key={it.id} it={it} opened={opened} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function Row({ it, opened }: { it: PersonContent; opened: OpenedCases }) {
  const what = it.excerpt === '' ? words.noWords : it.excerpt
  return (
    <li
      data-row
      tabIndex={-1}
      className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 -outline-offset-2"
    >
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="truncate">
          {what}
        </p>
        <p className="flex flex-wrap items-center gap-2 text-sm text-soft tabular-nums">
          {dateTime(Date.parse(it.created_at))}
          {it.state !== 'present' && <Badge look="care">{words.states[it.state]}</Badge>}
          {it.is_age_limited && <Badge>{words.ageLimited}</Badge>}
        </p>
      </div>
      <div className="flex gap-2">
        {it.state === 'present' && (
          <Link
            to="/post/$id"
            params={{ id: it.post_id }}
            aria-label={words.openOf(what)}
            className={buttonClass('quiet', 'small', false)}
          >
            {words.open}
          </Link>
        )}
        <Button
          look="quiet"
          size="small"
          data-open
          aria-label={words.actOf(what)}
          busy={opened.opening === it.id}
          busyLabel={text.working}
          onClick={() => void opened.begin(it.kind, it.id)}
        >
          {measuresText.act}
        </Button>
      </div>
    </li>
  )
}
