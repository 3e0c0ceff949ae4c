// BlockedWords: the person's blocked words, and the comments that wait for their review.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { HeldComment } from '#contract/moderation/held-comments.ts'
import type { OwnWord } from '#contract/moderation/own-words.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { blockedWordsText as words } from './blocked-words-text.ts'
import { heldQuery, ownWordsQuery, useBlockedWords, useReview } from './blocked-words.ts'

interface BlockedWordsProps {
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function BlockedWords({ failed }: BlockedWordsProps) {
  const reading = useQuery(ownWordsQuery)
  if (reading.isPending) return <Skeleton className="m-4 h-40" />
  if (!reading.data) return failed(reading.error, reading.refetch)
  return (
    <div className="flex flex-col gap-6 px-4 pt-5 pb-16">
      <div>
        <p className="text-soft">{words.lead}</p>
        <p className="pt-2 text-sm text-soft">{words.how}</p>
      </div>
      <AddForm />
      <List all={reading.data.words} />
      <Held failed={failed} />
    </div>
  )
}

function AddForm() {
  const { add, busy, error } = useBlockedWords()
  const [typed, setTyped] = useState('')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void add(typed).then((isAdded) => isAdded && setTyped(''))
      }}
    >
      <Field label={words.word} error={error}>
        <div className="flex gap-2">
          <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} />
          <Button type="submit" look="ink" busy={busy} busyLabel={text.working}>
            {words.add}
          </Button>
        </div>
      </Field>
    </form>
  )
}

function List({ all }: { all: readonly OwnWord[] }) {
  const { remove } = useBlockedWords()
  return (
    <section aria-labelledby="own-words">
      <h2 id="own-words" className="flex items-baseline gap-2 pb-2 font-semibold">
        {words.list}
        <span className="text-sm font-normal text-soft tabular-nums">{words.count(all.length)}</span>
      </h2>
      {all.length === 0 ? (
        <p className="text-soft">{words.none}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {all.map((it) => (
            <li key={it.id} className="max-w-full">
              <button
                type="button"
                aria-label={words.removeOf(it.word)}
                onClick={() => void remove(it)}
                className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-pill border border-edge px-3.5 hover:bg-sunk"
              >
                <span dir="auto" className="min-w-0 truncate">
                  {it.word}
                </span>
                <X aria-hidden size={16} className="shrink-0" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Held({ failed }: BlockedWordsProps) {
  const pages = useInfiniteQuery(heldQuery)
  const comments = pages.data?.pages.flatMap((page) => page.comments) ?? []
  return (
    <section aria-labelledby="held-comments">
      <h2 id="held-comments" className="pb-2 font-semibold">
        {words.held}
      </h2>
      {pages.isPending && <Skeleton className="h-20" />}
      {pages.isError && failed(pages.error, pages.refetch)}
      {pages.data && comments.length === 0 && !pages.hasNextPage && (
        <p className="text-soft">{words.noHeld}</p>
      )}
      <ul className={comments.length > 0 ? 'border-t border-line' : undefined}>
        {comments.map((it) => (
          <HeldRow key={it.id} it={it} />
        ))}
      </ul>
      {pages.data && <LoadMore {...loadMore(pages, words.more)} />}
    </section>
  )
}

function HeldRow({ it }: { it: HeldComment }) {
  const { review, busy } = useReview()
  return (
    <li className="flex flex-col gap-1.5 border-b border-line py-4">
      <p className="truncate text-sm font-semibold">{it.author.name}</p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {it.content}
      </p>
      <p className="text-sm text-soft">{it.word === '' ? words.reasons[it.reason] : words.wordIs(it.word)}</p>
      <div className="flex flex-wrap items-center gap-2 pt-1">
        <Button
          look="ink"
          size="small"
          busy={busy}
          busyLabel={text.working}
          onClick={() => review(it.id, true)}
        >
          {words.show}
        </Button>
        <Button
          look="danger"
          size="small"
          busy={busy}
          busyLabel={text.working}
          onClick={() => review(it.id, false)}
        >
          {words.delete}
        </Button>
        <Link
          to="/post/$id"
          params={{ id: it.post_id }}
          className="inline-flex min-h-11 items-center px-2 underline underline-offset-4"
        >
          {words.toPost}
        </Link>
      </div>
    </li>
  )
}
