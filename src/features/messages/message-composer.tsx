// MessageComposer: the field of a new message, or why none can be sent.
import type { ConversationView } from '#contract/messages/conversations.ts'
import { MAX_MESSAGE } from '#contract/limits.ts'
import { isInvisible, lengthOf } from '#contract/text/text-rule.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { number } from '#src/lib/format.ts'
import { useStore } from '#src/lib/store.ts'
import { Composer } from '#src/ui/fields/composer.tsx'
import { useTypingReports } from './head/use-typing.ts'
import { enterSends } from './keys/enter-sends.ts'
import { PickButtons } from './files/pick-buttons.tsx'
import { PickedStrip } from './files/picked-strip.tsx'
import type { MessageFiles } from './files/use-message-files.ts'
import type { MessageOutbox } from './message-outbox.ts'
import { messagesText as words } from './text.ts'
import { mayWrite } from './may-write.ts'

/** Share of the limit from which the count is shown. */
const NEAR = 0.9

interface MessageComposerProps {
  readonly view: ConversationView
  readonly outbox: MessageOutbox
  readonly files: MessageFiles
  /** Called after a message was sent from here. */
  readonly onSent: () => void
}

export function MessageComposer({ view, outbox, files, onSent }: MessageComposerProps) {
  const { typed, answers } = outbox
  const reportTyping = useTypingReports(view)
  const sendsByEnter = useStore(enterSends)
  const length = lengthOf(typed.trim(), MAX_MESSAGE)
  const over = length - MAX_MESSAGE
  if (!mayWrite(view))
    return (
      <p className="border-t border-line px-4 py-4 text-center text-sm text-soft">
        {view.may_write === 'closed' ? words.closed : words.waiting}
      </p>
    )
  return (
    <>
      {view.may_write === 'request' && (
        <p className="px-4 pt-2 text-center text-sm text-soft">{words.asRequest(view.person.name)}</p>
      )}
      <Composer
        value={typed}
        label={words.write}
        placeholder={words.write}
        sendLabel={words.send}
        canSend={files.isEmpty ? !isInvisible(typed) : files.areReady}
        above={<PickedStrip files={files} />}
        before={<PickButtons onPick={files.add} />}
        problem={over > 0 ? words.tooLong(over) : textSentence(typed.trim(), MAX_MESSAGE)}
        count={length > MAX_MESSAGE * NEAR ? `${number(length)} / ${number(MAX_MESSAGE)}` : undefined}
        reply={
          answers
            ? {
                label: words.reply(answers.excerpt),
                endLabel: words.stopReply,
                onEnd: () => outbox.answer(null),
              }
            : undefined
        }
        focusRequests={outbox.writeRequests}
        sendsByEnter={sendsByEnter}
        onChange={(next) => {
          outbox.type(next)
          reportTyping(next)
        }}
        onSend={() => {
          if (files.isEmpty) outbox.send()
          else outbox.sendWithFiles(files)
          files.sent()
          onSent()
        }}
      />
    </>
  )
}
