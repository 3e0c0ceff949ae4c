// Decision: an admin approves the check they took once it was shown, or rejects it.
import { useId, useState } from 'react'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { MAX_REVIEW_NOTE, type RejectReason, rejectReasons } from '#contract/identity/identity.ts'
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { administrationText as words } from './text.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { date } from '#src/lib/format.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useCheckAction } from './checks.ts'
import { TemplateSelect } from './reports/text-with-template.tsx'

type EvidenceOf = NonNullable<CheckDetail['evidence']>

interface DecisionProps {
  checkId: string
  evidence: EvidenceOf
  onDecided: () => void
}

export function Decision({ checkId, evidence, onDecided }: DecisionProps) {
  const { busy, perform } = useCheckAction(checkId)
  const [dialog, setDialog] = useState<'approve' | 'reject'>()
  const wanting = useId()
  const close = () => setDialog(undefined)
  const missing = missingOf(evidence)
  /** An approval that was refused closes too: why is in the toast, and the check was read again. */
  function ended(done: boolean) {
    close()
    if (done) onDecided()
  }
  return (
    <section aria-labelledby="decision">
      <h3 id="decision" className="mb-2 font-semibold">
        {words.decision}
      </h3>
      <output className="mb-3 block text-soft empty:hidden">
        {missing !== undefined && <span id={wanting}>{missing}</span>}
      </output>
      <div className="flex flex-wrap gap-3">
        <Button
          look="seal"
          data-key="e"
          disabled={missing !== undefined}
          aria-describedby={missing === undefined ? undefined : wanting}
          onClick={() => setDialog('approve')}
        >
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
        description={<Comparison evidence={evidence} />}
        cancel={text.cancel}
        action={{
          label: words.approve,
          busy: busy === 'approve',
          onSelect: () => void perform({ is: 'approve', ...comparedIn(evidence) }).then(ended),
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

const comparedIn = ({ legal_name, legal_name_kana, birth_date }: EvidenceOf) => ({
  legal_name,
  legal_name_kana,
  birth_date,
})

/** Why the check cannot be approved now; undefined if it can. The server decides. */
function missingOf({ legal_name: name, legal_name_kana: kana, files }: EvidenceOf): string | undefined {
  if (name === '' || kana === '') return words.nameMissing
  const unseen = files.filter((it) => !it.shown).map((it) => identityText.parts[it.part])
  return unseen.length === 0 && files.length > 0 ? undefined : words.unseen(unseen)
}

/** The checks that the reviewer makes, with what the account says. */
function Comparison({ evidence }: { evidence: EvidenceOf }) {
  const { legal_name: name, legal_name_kana: kana, birth_date: day } = evidence
  const checks = [
    [words.legalName, words.nameCheck(name, kana)],
    [words.birthDate, words.birthCheck(date(Date.parse(day)))],
    [words.face, words.faceCheck],
    [words.gesture, words.gestureCheck],
  ] as const
  return (
    <>
      {words.approveLead}
      <ul className="my-3 flex flex-col gap-2">
        {checks.map(([label, check]) => (
          <li key={label} className="grid grid-cols-[5rem_1fr] gap-2 text-ink">
            <span className="font-semibold">{label}</span>
            <span className="min-w-0 break-words">{check}</span>
          </li>
        ))}
      </ul>
      {words.approveText}
    </>
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
