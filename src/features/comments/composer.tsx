// CommentComposer: the field of a new comment or reply.
import { MAX_COMMENT } from '#contract/limits.ts'
import { isInvisible, lengthOf } from '#contract/text/text-rule.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { afterPress } from '#src/lib/after-press.ts'
import { number } from '#src/lib/format.ts'
import { Composer } from '#src/ui/fields/composer.tsx'
import type { Outbox } from './outbox.ts'
import { commentsText as words } from './text.ts'

/** Share of the limit from which the count is shown. */
const NEAR = 0.9

export function CommentComposer({ outbox }: { outbox: Outbox }) {
  const { typed, to } = outbox
  const length = lengthOf(typed.trim(), MAX_COMMENT)
  const over = length - MAX_COMMENT
  return (
    <Composer
      value={typed}
      label={to ? words.replyTo(to.name) : words.write}
      placeholder={to ? words.reply : words.write}
      sendLabel={words.send}
      canSend={!isInvisible(typed)}
      problem={over > 0 ? words.tooLong(over) : textSentence(typed.trim(), MAX_COMMENT)}
      count={length > MAX_COMMENT * NEAR ? `${number(length)} / ${number(MAX_COMMENT)}` : undefined}
      reply={
        to
          ? { label: words.replyTo(to.name), endLabel: words.stopReply, onEnd: () => outbox.replyTo(null) }
          : undefined
      }
      focusRequests={outbox.writeRequests}
      onChange={outbox.type}
      onSend={outbox.send}
      onLeave={(isOutside) => afterPress(() => isOutside() && outbox.close())}
    />
  )
}
