// PostChoice: the own post of a broadcast, and the sheet in which one is chosen.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Paperclip, X } from 'lucide-react'
import { useState } from 'react'
import { getPost, listPosts, type PostView } from '#contract/posts/posts.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { When } from '#src/ui/text/when.tsx'
import type { LoadFailed } from './broadcast-page.tsx'
import { broadcastText as words } from './text.ts'

interface PostChoiceProps {
  readonly ownId: string
  readonly postId: string | null
  readonly failed: LoadFailed
  readonly onChoose: (id: string | null) => void
}

export function PostChoice({ ownId, postId, failed, onChoose }: PostChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="pb-1.5 text-sm font-semibold">{words.post}</legend>
      {postId !== null && <Chosen id={postId} ownId={ownId} onRemove={() => onChoose(null)} />}
      <p>
        <Button
          look="quiet"
          size="small"
          icon={<Paperclip aria-hidden size={18} />}
          onClick={() => setOpen(true)}
        >
          {postId === null ? words.choosePost : words.changePost}
        </Button>
      </p>
      <Sheet open={isOpen} onOpenChange={setOpen} title={words.choosePost} closeLabel={text.close}>
        {isOpen && (
          <OwnPosts
            ownId={ownId}
            failed={failed}
            onChoose={(id) => {
              onChoose(id)
              setOpen(false)
            }}
          />
        )}
      </Sheet>
    </fieldset>
  )
}

function Chosen({ id, ownId, onRemove }: { id: string; ownId: string; onRemove: () => void }) {
  const { data: post, isError } = useQuery(queryFor(getPost, { params: { post_id: id } }))
  const isLost = isError || (post !== undefined && (post.author.id !== ownId || post.released_at === null))
  return (
    <div className="flex min-h-14 items-center gap-2 rounded-field border border-line bg-raised py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        {isLost && <p className="text-sm text-seal-text">{words.lostPost}</p>}
        {!isLost && post && <Line post={post} />}
        {!isLost && !post && <Skeleton className="h-4 w-40" />}
      </div>
      <IconButton label={words.removePost} icon={<X size={20} />} onClick={onRemove} />
    </div>
  )
}

interface OwnPostsProps {
  readonly ownId: string
  readonly failed: LoadFailed
  readonly onChoose: (id: string) => void
}

function OwnPosts({ ownId, failed, onChoose }: OwnPostsProps) {
  const list = useInfiniteQuery(pagesFor(listPosts, { query: { author: ownId } }))
  if (list.isPending) return <Skeleton className="h-14 w-full" />
  if (!list.data) return failed(list.error, list.refetch)
  const posts = list.data.pages.flatMap((page) => page.posts)
  if (posts.length === 0) return <p className="py-4 text-center text-soft">{words.noPosts}</p>
  return (
    <>
      <ul className="border-t border-line">
        {posts.map((post) => (
          <li key={post.id} className="border-b border-line">
            <button
              type="button"
              onClick={() => onChoose(post.id)}
              className="block min-h-14 w-full px-1 py-2.5 text-left hover:bg-sunk"
            >
              <Line post={post} />
            </button>
          </li>
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </>
  )
}

/** A post in two lines: its beginning, its audience and time. */
function Line({ post }: { post: PostView }) {
  const content = post.title ?? (post.access.is === 'full' ? post.access.content.trim() : '')
  const at = post.released_at ?? post.created_at
  return (
    <>
      <span dir="auto" className="block truncate">
        {content === '' ? words.noText : content}
      </span>
      <span className="mt-0.5 flex items-center gap-2 text-xs text-soft">
        <Badge>{words.postKinds[post.type]}</Badge>
        <When at={at} format={(_, now) => relative(Date.parse(at), now)} whole={dateTime(Date.parse(at))} />
      </span>
    </>
  )
}
