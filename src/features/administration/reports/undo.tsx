// Undo: the button that undoes a decision, with its question.
import { useState } from 'react'
import { undoDecision } from '#contract/moderation/cases.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { useCaseAction } from './cases.ts'

interface UndoProps {
  caseId: string
  /** The last decision of the case by default. */
  decisionId?: string
  words: {
    readonly undo: string
    readonly undoTitle: string
    readonly undoText: string
    readonly undoneDone: string
    /** In place of the usual sentence about a change by another person. */
    readonly undoConflict?: string
  }
  /** What the button is called where several are on a page. */
  label?: string
  size?: 'small'
  onUnconfirmed: () => void
}

export function Undo({ caseId, decisionId, words, label, size, onUnconfirmed }: UndoProps) {
  const { busy, perform } = useCaseAction(onUnconfirmed)
  const [open, setOpen] = useState(false)
  async function undo() {
    const body = decisionId === undefined ? {} : { decision_id: decisionId }
    await perform(undoDecision, { params: { case_id: caseId }, body }, words.undoneDone, words.undoConflict)
    setOpen(false)
  }
  return (
    <div>
      <Button
        look="quiet"
        {...(size && { size })}
        {...(label !== undefined && { 'aria-label': label })}
        onClick={() => setOpen(true)}
      >
        {words.undo}
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={(next) => !busy && setOpen(next)}
        title={words.undoTitle}
        description={words.undoText}
        cancel={text.cancel}
        action={{ label: words.undo, busy, onSelect: () => void undo() }}
      />
    </div>
  )
}
