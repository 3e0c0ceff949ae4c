// BlockDialog: explains the effect of a block and confirms it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import type { ModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { setBlocked } from '#src/domain/people/relations.ts'
import { text } from '#src/domain/text/text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

type BlockRequest = Extract<ModerationRequest, { is: 'block' }>

export function BlockDialog({ request, onOver }: { request: BlockRequest; onOver: () => void }) {
  const { person, after } = request
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function block() {
    setBusy(true)
    try {
      await setBlocked(client, person.id, true)
      toast(words.blocked(person.name), 'success')
      onOver()
      after?.()
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.notDone}${errorText[failure.code]}`, 'error')
    }
  }
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onOver()
      }}
      title={words.blockAsk(person.name)}
      description={words.blockWhat}
      cancel={text.cancel}
      action={{ label: words.blockAct, danger: true, busy, onSelect: () => void block() }}
    />
  )
}
