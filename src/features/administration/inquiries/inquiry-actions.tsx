// InquiryActions: takes an inquiry, asks about it, and decides it.
import { useState } from 'react'
import {
  askAuthor,
  askSender,
  type InquiryView,
  leaveInquiry,
  takeInquiry,
} from '#contract/inquiries/admin-inquiries.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { isSendable, TextWithTemplate } from '#src/features/administration/reports/text-with-template.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { DecideInquirySheet } from './decide-inquiry-sheet.tsx'
import { useInquiryAction } from './inquiries.ts'
import { inquiriesText as words } from './text.ts'

interface ActionsProps {
  inquiry: InquiryView
  onUnconfirmed: () => void
}

type SheetName = 'decide' | 'askSender' | 'askAuthor'

const time = (at: string) => dateTime(Date.parse(at))

export function InquiryActions({ inquiry, onUnconfirmed }: ActionsProps) {
  const me = useMember()
  const { busy, perform } = useInquiryAction(onUnconfirmed)
  const [sheet, setSheet] = useState<SheetName>()
  const params = { params: { inquiry_id: inquiry.id } }
  const { taken, state } = inquiry
  if (state === 'decided') return null
  if (taken && taken.by.id !== me?.id)
    return <p className="text-soft">{words.lockedBy(taken.by.name, time(taken.until))}</p>
  if (!taken)
    return (
      <div>
        <Button
          look="ink"
          data-key="t"
          busy={busy}
          busyLabel={text.working}
          onClick={() => void perform(takeInquiry, params, undefined, words.takenMeanwhile)}
        >
          {words.take}
        </Button>
      </div>
    )
  const close = () => setSheet(undefined)
  return (
    <div>
      <div className="flex flex-wrap gap-3">
        <Button look="seal" data-key="e" onClick={() => setSheet('decide')}>
          {inquiry.kind === 'contact' ? words.answer : words.decide}
        </Button>
        {state === 'in_progress' && (
          <Button look="quiet" onClick={() => setSheet('askSender')}>
            {words.askSender}
          </Button>
        )}
        {mayAskAuthor(inquiry) && (
          <Button look="quiet" onClick={() => setSheet('askAuthor')}>
            {words.askAuthor}
          </Button>
        )}
        <Button
          look="quiet"
          data-key="t"
          busy={busy}
          busyLabel={text.working}
          onClick={() => void perform(leaveInquiry, params)}
        >
          {words.leave}
        </Button>
      </div>
      <p className="mt-2 text-sm text-soft">{words.lockedUntil(time(taken.until))}</p>
      {sheet === 'decide' && (
        <DecideInquirySheet inquiry={inquiry} onClose={close} onUnconfirmed={onUnconfirmed} />
      )}
      {(sheet === 'askSender' || sheet === 'askAuthor') && (
        <AskSheet id={inquiry.id} asks={sheet} onClose={close} />
      )}
    </div>
  )
}

const mayAskAuthor = ({ state, content, opinion_due_at: due }: InquiryView) =>
  state === 'in_progress' && content?.owner != null && due === null

interface AskSheetProps {
  id: string
  asks: 'askSender' | 'askAuthor'
  onClose: () => void
}

/** A question to the sender or the author. What is typed stays on the device until it is sent. */
function AskSheet({ id, asks, onClose }: AskSheetProps) {
  const { values, change, clear } = useTypedFields(`inquiry.${id}.${asks}`, { text: '' })
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useInquiryAction(() => undefined)
  async function send() {
    setPressed(true)
    if (!isSendable(values.text)) return
    const args = { params: { inquiry_id: id }, body: { text: values.text } }
    if (!(await perform(asks === 'askSender' ? askSender : askAuthor, args, words.asked))) return
    clear()
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words[asks]}
      closeLabel={text.close}
      footer={
        <Button wide look="seal" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.send}
        </Button>
      }
    >
      <TextWithTemplate
        use={asks === 'askSender' ? 'sender' : 'person'}
        label={words.letter}
        hint={words.letterHint}
        value={values.text}
        pressed={pressed}
        onChange={(value) => change({ text: value })}
      />
    </Sheet>
  )
}
