// FixtureRow: one fixture as picked, and in each view, side by side.
import { type ReactNode, useId, useState } from 'react'
import type { MessageView } from '#contract/messages/messages.ts'
import { cardPictureOf } from '#contract/posts/card-picture.ts'
import { extensionOf, type MediaView } from '#contract/posts/media.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { BubbleMedia } from '#src/features/messages/files/bubble-media.tsx'
import { ViewerPicture } from '#src/features/posts/media/lightbox.tsx'
import { Player } from '#src/features/posts/media/player.tsx'
import { Waiting } from '#src/features/posts/media/waiting.tsx'
import { CardMedia } from '#src/features/posts/post-card.tsx'
import { PickedTile } from '#src/features/publish/gallery/picked-tile.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { mediaOfMessage, mediaOfPost } from './copies.ts'
import { mediaGalleryText as words } from './text.ts'
import type { Fixture, FixtureState } from './use-fixtures.ts'

interface FixtureRowProps {
  fixture: Fixture
  state: FixtureState
  post: PostView | undefined
  message: MessageView | undefined
  /** Whether it was given to the queue. */
  isGiven: boolean
}

export function FixtureRow({ fixture, state, post, message, isGiven }: FixtureRowProps) {
  const title = useId()
  const { file, row, name, expected } = fixture
  const none = <Absent state={state} isGiven={isGiven} />
  const first = post && mediaOfPost(post)[0]
  return (
    <li className="border-t border-line pt-4 pb-5">
      <div className="px-4">
        <h2 id={title} className="font-semibold">
          {name}
        </h2>
        <p className="mt-0.5 max-w-prose text-sm">{expected}</p>
        <p className="mt-0.5 text-xs break-words text-soft">
          {file}
          {row !== undefined && ` ・ docs/media.md: ${row}`}
        </p>
      </div>
      <section
        aria-label={words.views(name)}
        // Focusable, so that arrow keys scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-3 flex gap-2 overflow-x-auto px-4 pb-1 focus-visible:-outline-offset-2"
      >
        <View name={words.columns.original}>
          <Original file={file} state={state} />
        </View>
        <View name={words.columns.editor}>
          <InEditor state={state} />
        </View>
        <View name={words.columns.feed}>
          {post ? <CardMedia post={post} first={false} onAuthorPage /> : none}
        </View>
        <View name={words.columns.viewer}>{first ? <Viewed media={first} /> : none}</View>
        <View name={words.columns.message}>
          {message ? <BubbleMedia media={mediaOfMessage(message)} hidden={0} /> : none}
        </View>
        <View name={words.columns.poster}>{first ? <Poster media={first} /> : none}</View>
      </section>
    </li>
  )
}

/** One view of a fixture; all are equally wide and high. */
function View({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="w-48 shrink-0">
      <figcaption className="mb-1 text-xs text-soft">{name}</figcaption>
      <div className="h-64 overflow-auto rounded-media border border-line">
        <div className="flex min-h-full flex-col justify-center *:w-full">{children}</div>
      </div>
    </figure>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="px-3 py-2 text-center text-xs text-soft">{children}</p>
)

/** In place of a view that the server has no file for. */
function Absent({ state, isGiven }: Pick<FixtureRowProps, 'state' | 'isGiven'>) {
  if (state.is === 'picked' && state.picked.items.length === 0)
    return (
      <Note>
        <span aria-hidden>{words.refused}</span>
        <span className="sr-only">{words.refusedLabel}</span>
      </Note>
    )
  return <Note>{isGiven ? words.sending : words.unsent}</Note>
}

function Original({ file, state }: { file: string; state: FixtureState }) {
  const [ratio, setRatio] = useState(1)
  if (state.is === 'making') return <Working says={words.making} />
  if (state.is === 'failed') return <Note>{words.notMade}</Note>
  if (extensionOf(file) === 'mp4')
    return (
      // Fixtures have no words.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video src={state.url} controls playsInline preload="metadata" aria-label={file} className="max-h-64" />
    )
  // A long picture is scrolled, as in the viewer.
  const shape = ratio > 3 ? 'h-60 w-auto max-w-none' : ratio < 1 / 3 ? 'w-full' : 'max-h-64 object-contain'
  return (
    <div onLoad={({ target }) => target instanceof HTMLImageElement && setRatio(ratioOf(target))}>
      <ShownPicture src={state.url} alt={file} className={shape} />
    </div>
  )
}

const ratioOf = ({ naturalWidth, naturalHeight }: HTMLImageElement): number =>
  naturalWidth / Math.max(1, naturalHeight)

function InEditor({ state }: { state: FixtureState }) {
  if (state.is === 'making' || state.is === 'failed') return null
  return state.is === 'picking' ? <Working says={words.preparing} /> : <PickedTile {...state.picked} />
}

function Working({ says }: { says: string }) {
  return (
    <output className="grid justify-items-center gap-2 text-soft">
      <Spinner size={24} />
      <Note>{says}</Note>
    </output>
  )
}

function Viewed({ media }: { media: MediaView }) {
  if (media.kind === 'video') return <Player video={media} />
  if (media.state !== 'ready') return <Waiting state={media.state} of={media} />
  return (
    <div className="h-63.5 bg-black">
      <ViewerPicture image={media} />
    </div>
  )
}

/** The poster of a film; of a picture what the card of its post shows. */
function Poster({ media }: { media: MediaView }) {
  if (media.state !== 'ready') return <Note>{words.processing}</Note>
  const src = cardPictureOf(media)
  if (src === null) return <Note>{words.noPoster}</Note>
  if (media.kind === 'video') return <ShownPicture src={src} alt="" className="max-h-64 object-contain" />
  return (
    <div className="aspect-video">
      <ShownPicture src={src} alt="" />
    </div>
  )
}
