// Bubble: one message, with its reply, reactions, time, state and menu.
import { type MessageView, type Reaction, reaction } from '#contract/messages/messages.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'
import { dateTime, timeOfDay } from '#src/lib/format.ts'
import { cx } from '#src/ui/cx.ts'
import { BubbleMedia } from './files/bubble-media.tsx'
import { BubblePost } from './posts/bubble-post.tsx'
import { lineOfParts } from './message-line.ts'
import { MessageMenu } from './message-menu.tsx'
import type { ShownMessage } from './shown-messages.ts'
import { messagesText as words, reactionSigns } from './text.ts'
import type { BubbleContext } from './use-bubble-context.ts'

interface BubbleProps {
  readonly shown: ShownMessage
  readonly context: BubbleContext
}

export function Bubble({ shown, context }: BubbleProps) {
  const { message, isOwn, state } = shown
  const { body } = message
  const at = Date.parse(message.sent_at)
  if (body.is === 'unsent')
    return (
      <p className="py-1 text-center text-sm text-soft">
        {isOwn ? words.unsent : words.unsentByOther(context.person.name)}
      </p>
    )
  return (
    <article
      aria-label={isOwn ? words.you : words.name(context.person.name)}
      className={cx('group flex flex-col', isOwn ? 'items-end' : 'items-start')}
    >
      <div className={cx('flex max-w-[85%] items-end gap-1', isOwn && 'flex-row-reverse')}>
        <div
          className={cx(
            'min-w-0 rounded-[18px] border px-3.5 py-2',
            isOwn ? 'border-transparent bg-sunk' : 'border-line bg-raised',
            message.seq === context.marked && 'outline-2 outline-offset-2 outline-seal',
          )}
        >
          {body.reply_to && <Replied message={message} context={context} />}
          <BubbleMedia media={body.media} hidden={body.hidden_media} />
          {body.post && <BubblePost card={body.post} />}
          {body.content !== '' && <Words content={body.content} hasLinks={isOwn || context.hasLinks} />}
        </div>
        <time
          dateTime={message.sent_at}
          title={dateTime(at)}
          className="shrink-0 pb-0.5 text-xs text-soft tabular-nums"
        >
          <span className="sr-only">{words.sentAt(dateTime(at))}</span>
          <span aria-hidden>{timeOfDay(at)}</span>
        </time>
        <MessageMenu shown={shown} context={context} />
      </div>
      <Reactions message={message} context={context} />
      {state && <p className="pt-0.5 pr-1 text-xs text-soft">{words.states[state]}</p>}
    </article>
  )
}

function Words({ content, hasLinks }: { content: string; hasLinks: boolean }) {
  if (hasLinks) return <RichText text={content} className="text-base" />
  return (
    <p dir="auto" className="break-words whitespace-pre-wrap [unicode-bidi:plaintext]">
      {content}
    </p>
  )
}

/** The beginning of the message that is answered, as a button that leads to it. */
function Replied({ message, context }: { message: MessageView; context: BubbleContext }) {
  const replied = message.body.is === 'text' ? message.body.reply_to : null
  if (!replied) return null
  const name = replied.sender_id === context.ownId ? words.you : words.name(context.person.name)
  const look = 'mb-1.5 block w-full border-l-2 border-edge pl-2 text-left text-sm text-soft'
  if (replied.excerpt === null) return <p className={look}>{words.lostReply}</p>
  return (
    <button type="button" title={words.jump} className={look} onClick={() => context.onJump(replied.seq)}>
      <span className="block font-semibold">{name}</span>
      <span className="line-clamp-2 break-words">
        {replied.excerpt === '' ? lineOfParts(replied.media_count, replied.has_post) : replied.excerpt}
      </span>
    </button>
  )
}

/** Each kind of reaction with its people. */
function Reactions({ message, context }: { message: MessageView; context: BubbleContext }) {
  const given = message.body.is === 'text' ? message.body.reactions : []
  if (given.length === 0) return null
  const nameOf = (id: string) => (id === context.ownId ? words.you : words.name(context.person.name))
  const kinds = reaction.options.filter((kind) => given.some((it) => it.reaction === kind))
  return (
    <ul className="flex gap-1 pt-0.5">
      {kinds.map((kind) => (
        <ReactionMark
          key={kind}
          kind={kind}
          names={given.filter((it) => it.reaction === kind).map((it) => nameOf(it.user_id))}
        />
      ))}
    </ul>
  )
}

function ReactionMark({ kind, names }: { kind: Reaction; names: readonly string[] }) {
  const label = words.reactions(kind, names.join('、'))
  return (
    <li
      title={label}
      className="inline-flex h-6 items-center gap-1 rounded-pill border border-line bg-paper px-2 text-xs"
    >
      <span aria-hidden>{reactionSigns[kind]}</span>
      <span className="sr-only">{label}</span>
      {names.length > 1 && <span aria-hidden>{names.length}</span>}
    </li>
  )
}
