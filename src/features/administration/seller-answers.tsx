// SellerAnswers: the two answers to a request for a seller's data.
import { useState } from 'react'
import type { WaitingRequest } from '#contract/sellers/admin-sellers.ts'
import { MAX_SELLER_NOTE } from '#contract/sellers/sellers.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useSellerAnswer } from './sellers.ts'
import { sellersText as words } from './sellers-text.ts'

interface SellerAnswersProps {
  request: WaitingRequest
  onUnconfirmed: () => void
}

export function SellerAnswers({ request: { id, has_data: hasData }, onUnconfirmed }: SellerAnswersProps) {
  const [asked, setAsked] = useState<'disclosed' | 'mediated'>()
  const { busy, answer } = useSellerAnswer(() => {
    setAsked(undefined)
    onUnconfirmed()
  })
  const close = () => setAsked(undefined)
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {hasData && (
        <Button look="danger" size="small" onClick={() => setAsked('disclosed')}>
          {words.disclose}
        </Button>
      )}
      <Button look="quiet" size="small" onClick={() => setAsked('mediated')}>
        {words.mediate}
      </Button>
      <AlertDialog
        open={asked === 'disclosed'}
        onOpenChange={(open) => !open && !busy && close()}
        title={words.discloseTitle}
        description={words.discloseText}
        cancel={text.cancel}
        action={{
          label: words.disclose,
          danger: true,
          busy,
          onSelect: () => void answer(id, { is: 'disclosed' }).then(close),
        }}
      />
      <NoteSheet
        open={asked === 'mediated'}
        busy={busy}
        onClose={close}
        onSend={async (note) => {
          if (await answer(id, { is: 'mediated', note })) close()
        }}
      />
    </div>
  )
}

interface NoteSheetProps {
  open: boolean
  busy: boolean
  onClose: () => void
  onSend: (note: string) => Promise<void>
}

/** What is typed stays while the admin confirms who they are. */
function NoteSheet({ open, busy, onClose, onSend }: NoteSheetProps) {
  const [note, setNote] = useState('')
  const [pressed, setPressed] = useState(false)
  const length = lengthOf(note, MAX_SELLER_NOTE)
  const tooLong = length > MAX_SELLER_NOTE
  const isEmpty = note.trim() === ''
  const problem = tooLong
    ? fieldSentence('too_long', MAX_SELLER_NOTE)
    : pressed && isEmpty
      ? words.noteRequired
      : undefined
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title={words.mediateTitle}
      closeLabel={text.close}
      footer={
        <Button
          wide
          look="ink"
          busy={busy}
          busyLabel={text.working}
          onClick={() => {
            setPressed(true)
            if (!isEmpty && !tooLong) void onSend(note)
          }}
        >
          {words.send}
        </Button>
      }
    >
      <Field
        label={words.note}
        hint={words.noteHint}
        error={problem}
        count={{ now: length, max: MAX_SELLER_NOTE }}
      >
        <TextArea value={note} onChange={(event) => setNote(event.target.value)} className="min-h-28" />
      </Field>
    </Sheet>
  )
}
