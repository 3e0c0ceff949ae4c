// BubblePost: the card of the post that a message carries.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { PostCard } from '#contract/posts/post-card.ts'
import { getPost } from '#contract/posts/posts.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { amountParts } from '#src/domain/posts/amount-text.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { Money } from '#src/ui/text/money.tsx'
import { messagePostText as words } from '#src/features/messages/text.ts'

export function BubblePost({ card }: { card: PostCard }) {
  switch (card.is) {
    case 'none':
      return <p className="py-1 text-sm text-soft">{words.none}</p>
    case 'requested':
      return <p className="py-1 text-sm text-soft">{words.requested}</p>
    case 'full':
    case 'preview':
      return <Card card={card} />
    default:
      return card satisfies never
  }
}

type Shown = Extract<PostCard, { id: string }>

function Card({ card }: { card: Shown }) {
  // The post was opened since the message was read, such as by a purchase: its own reading is newer.
  const { data: known } = useQuery({
    ...queryFor(getPost, { params: { post_id: card.id } }),
    enabled: false,
  })
  const isOpened = card.is === 'preview' && known?.access.is === 'full'
  const isLocked = card.is === 'preview' && !isOpened
  const picture = card.is === 'full' ? card.picture : card.blurred_url
  return (
    <Link
      to="/post/$id"
      params={{ id: card.id }}
      className="my-1 block w-60 max-w-full overflow-hidden rounded-field border border-line bg-paper hover:bg-sunk"
    >
      {picture !== null && (
        <span className="relative block aspect-video w-full overflow-hidden bg-sunk">
          <ShownPicture src={picture} alt="" />
          {isLocked && (
            <span className="absolute inset-0 grid place-items-center bg-black/45 text-white">
              <Lock aria-hidden size={24} />
            </span>
          )}
        </span>
      )}
      <span className="flex flex-col gap-0.5 px-3 py-2">
        <span className="flex items-center gap-1 text-sm font-semibold">
          {isLocked && picture === null && <Lock aria-hidden size={14} className="shrink-0" />}
          {words.kinds[card.type]}
        </span>
        {card.title !== undefined && (
          <span dir="auto" className="line-clamp-2 text-sm font-semibold break-words">
            {card.title}
          </span>
        )}
        {card.is === 'full' && card.excerpt !== '' && (
          <span dir="auto" className="line-clamp-2 text-sm break-words text-soft">
            {card.excerpt}
          </span>
        )}
        {isLocked && <Wanted card={card} />}
        <Contents card={card} />
        {!isLocked && <span className="text-xs text-soft">{words.open}</span>}
      </span>
    </Link>
  )
}

/** What is needed to see the post. */
function Wanted({ card }: { card: Extract<PostCard, { is: 'preview' }> }) {
  const { wants, price } = card
  if (wants === 'purchase' && price !== null)
    return (
      <span className="text-sm">
        <Money amount={price} text={yen(price)} note={text.gate.taxIncluded} />
        <span className="ml-2 font-semibold">{words.buy}</span>
      </span>
    )
  return <span className="text-xs text-soft">{wants === 'age' ? text.gate.age : text.gate.planHint}</span>
}

function Contents({ card }: { card: Shown }) {
  const parts = amountParts(card)
  return parts.length > 0 && <span className="text-xs text-soft tabular-nums">{parts.join('・')}</span>
}
