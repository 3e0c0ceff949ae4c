// BlockDialog: explains the effect of a block and confirms it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getBlockEffects } from '#contract/accounts/settings.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import type { ModerationRequest } from '#src/domain/people/moderation-dialog.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { setBlocked } from '#src/domain/people/relations.ts'
import { text } from '#src/domain/text/text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { blockText } from './text.ts'

type BlockRequest = Extract<ModerationRequest, { is: 'block' }>

export function BlockDialog({ request, onOver }: { request: BlockRequest; onOver: () => void }) {
  const { person, after } = request
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const effects = useQuery({ ...queryFor(getBlockEffects, { params: { user_id: person.id } }), retry: false })
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
      description={
        <>
          {words.blockWhat}
          {sentencesOf(effects.data, effects.isError).map((it) => (
            <span key={it} className="mt-3 block">
              {it}
            </span>
          ))}
        </>
      }
      cancel={text.cancel}
      action={{
        label: words.blockAct,
        danger: true,
        busy: busy || effects.isPending,
        onSelect: () => void block(),
      }}
    />
  )
}

/** What a block does to paid memberships between the two people. Without a reply it is said for any of them. */
function sentencesOf(effects: ReplyOf<typeof getBlockEffects> | undefined, isUnread: boolean): string[] {
  if (!effects) return isUnread ? [blockText.unread] : []
  const { own, theirs } = effects
  return [
    ...(own ? [(own.renews ? blockText.own : blockText.ownPaid)(own.plan, lastDay(own.paid_until))] : []),
    ...(theirs ? [blockText.theirs(theirs.plan)] : []),
  ]
}
