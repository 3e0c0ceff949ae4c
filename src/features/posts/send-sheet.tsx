// SendSheet: sends an own post as a message, in one of the person's conversations.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { newId } from '#contract/ids.ts'
import type { PersonView } from '#contract/people/people.ts'
import { conversationsQuery } from '#src/domain/messages/message-queries.ts'
import { mutate } from '#src/domain/mutations/mutations.ts'
import { useHasPlans } from '#src/domain/plans/own.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { sendPostText as words } from './text.ts'

interface SendSheetProps {
  postId: string
  /** Whether the person may have plans, to whose members the post can be sent. */
  mayHavePlans: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function SendSheet({ postId, mayHavePlans, open, onOpenChange }: SendSheetProps) {
  function send({ id: userId, name }: PersonView) {
    const id = newId()
    const body = { id, content: '', post_id: postId }
    void mutate({ name: 'sendMessage', params: { user_id: userId }, body }, name, id)
    toast(words.sent(name), 'success')
    onOpenChange(false)
  }
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={words.title} closeLabel={text.close}>
      {open && (
        <>
          <ToMembers postId={postId} mayHavePlans={mayHavePlans} />
          <People onChoose={send} />
        </>
      )}
    </Sheet>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 px-1 py-2 text-left hover:bg-sunk'

function ToMembers({ postId, mayHavePlans }: Pick<SendSheetProps, 'postId' | 'mayHavePlans'>) {
  if (!useHasPlans(mayHavePlans)) return null
  return (
    <Link
      to="/chat-messages/broadcast"
      search={{ post: postId }}
      className={`${rowClass} border-y border-line`}
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-pill bg-sunk">
        <Megaphone aria-hidden size={20} />
      </span>
      {words.toMembers}
    </Link>
  )
}

function People({ onChoose }: { onChoose: (person: PersonView) => void }) {
  const list = useInfiniteQuery(conversationsQuery('inbox'))
  if (list.isPending) return <Skeleton className="mt-2 h-14 w-full" />
  if (!list.data)
    return (
      <p className="flex flex-wrap items-center gap-3 py-4 text-soft">
        {words.notRead}
        <Button look="quiet" size="small" onClick={() => void list.refetch()}>
          {text.retry}
        </Button>
      </p>
    )
  const people = list.data.pages.flatMap((page) => [...page.pinned, ...page.conversations])
  if (people.length === 0) return <p className="py-4 text-soft">{words.none}</p>
  return (
    <>
      <ul aria-label={words.people}>
        {people.map(({ conversation_id: id, person }) => (
          <li key={id} className="border-b border-line">
            <button
              type="button"
              aria-label={words.sendTo(person.name)}
              onClick={() => onChoose(person)}
              className={rowClass}
            >
              <Avatar name={person.name} src={person.avatar_url} size={40} />
              <span className="min-w-0 flex-1 truncate font-semibold">{person.name}</span>
              <span aria-hidden className="shrink-0 text-sm text-soft">
                {words.send}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </>
  )
}
