// Decision: an admin approves the check they took, or rejects it with a reason.
import { useState } from 'react'
import { MAX_REVIEW_NOTE, type RejectReason, rejectReasons } from '#contract/identity/identity.ts'
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { administrationText as words } from './text.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useCheckAction } from './checks.ts'
import { TemplateSelect } from './reports/text-with-template.tsx'

interface DecisionProps {
  checkId: string
  onDecided: () => void
}

export function Decision({ checkId, onDecided }: DecisionProps) {
  const { busy, perform } = useCheckAction(checkId)
  const [dialog, setDialog] = useState<'approve' | 'reject'>()
  const close = () => setDialog(undefined)
  /** An approval that was refused closes too: why is in the toast, and the check was read again. */
  function ended(done: boolean) {
    close()
    if (done) onDecided()
  }
  return (
    <section aria-labelledby="decision">
      <h3 id="decision" className="sr-only">
        {words.decision}
      </h3>
      <div className="flex flex-wrap gap-3">
        <Button look="seal" data-key="e" onClick={() => setDialog('approve')}>
          {words.approve}
        </Button>
        <Button look="quiet" data-key="d" onClick={() => setDialog('reject')}>
          {words.reject}
        </Button>
      </div>
      <AlertDialog
        open={dialog === 'approve'}
        onOpenChange={(open) => !open && busy === undefined && close()}
        title={words.approveTitle}
        description={words.approveText}
        cancel={text.cancel}
        action={{
          label: words.approve,
          busy: busy === 'approve',
          onSelect: () => void perform({ is: 'approve' }).then(ended),
        }}
      />
      <RejectSheet
        checkId={checkId}
        open={dialog === 'reject'}
        busy={busy === 'reject'}
        onClose={close}
        onReject={async (reason, note) => {
          const sent = await perform({ is: 'reject', reason, note })
          if (sent) ended(sent)
          return sent
        }}
      />
    </section>
  )
}

interface RejectSheetProps {
  checkId: string
  open: boolean
  busy: boolean
  onClose: () => void
  onReject: (reason: RejectReason, note: string) => Promise<boolean>
}

function RejectSheet({ checkId, open, busy, onClose, onReject }: RejectSheetProps) {
  const { values, change, clear } = useTypedFields(`check.${checkId}`, { reason: '', note: '' })
  const { note } = values
  const reason = rejectReasons.find((it) => it === values.reason)
  const [pressed, setPressed] = useState(false)
  const length = lengthOf(note, MAX_REVIEW_NOTE)
  const tooLong = length > MAX_REVIEW_NOTE
  function press() {
    setPressed(true)
    if (reason !== undefined && !tooLong) void onReject(reason, note).then((sent) => sent && clear())
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title={words.rejectTitle}
      closeLabel={text.close}
      footer={
        <Button wide busy={busy} busyLabel={text.working} onClick={press}>
          {words.rejectAct}
        </Button>
      }
    >
      <Field label={words.reason} error={pressed && reason === undefined ? words.reasonPick : undefined}>
        <Select
          value={reason ?? ''}
          placeholder={words.reasonPick}
          options={rejectReasons.map((value) => ({ value, label: words.reasons[value] }))}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </Field>
      {reason !== undefined && (
        <p className="mt-2 text-sm text-soft">{words.reasonSent(rejectSentences[reason])}</p>
      )}
      <Field
        label={words.note}
        optional={words.optional}
        hint={words.noteHint}
        error={tooLong ? fieldSentence('too_long', MAX_REVIEW_NOTE) : undefined}
        count={{ now: length, max: MAX_REVIEW_NOTE }}
        className="mt-5"
      >
        <TextArea
          value={note}
          onChange={(event) => change({ note: event.target.value })}
          className="min-h-28"
        />
      </Field>
      <TemplateSelect use="identity" label={words.note} onChoose={(chosen) => change({ note: chosen })} />
    </Sheet>
  )
}
