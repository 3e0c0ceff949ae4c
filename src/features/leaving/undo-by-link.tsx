// UndoByLink: undoes a deletion by a press on the page of an email's link.
import { useState, type ReactNode } from 'react'
import { undoDeletionByLink } from '#contract/accounts/leaving.ts'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { namesOfPlans } from './queries.ts'
import { leavingText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'

const words = leavingText.link

interface UndoByLinkProps {
  token: string
  /** Called after the deletion was undone, or when the link is invalid. */
  onOver: (undone: boolean) => Promise<void>
  /** Links shown afterwards. */
  links: ReactNode
  /** Those shown where the deletion had stopped plans. */
  plansLinks: ReactNode
}

export function UndoByLink({ token, onOver, links, plansLinks }: UndoByLinkProps) {
  const [state, setState] = useState<'ready' | 'busy' | 'undone' | 'unusable'>('ready')
  const [refused, setRefused] = useState<string>()
  const [stopped, setStopped] = useState<readonly MembershipNote[]>([])
  async function undo() {
    setState('busy')
    setRefused(undefined)
    try {
      const reply = await call(undoDeletionByLink, { body: { token } })
      setStopped(reply.stopped)
      await onOver(true)
      setState('undone')
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === 'link_invalid') {
        await onOver(false)
        return setState('unusable')
      }
      setRefused(refusalOf(failure, []).whole)
      setState('ready')
    }
  }
  switch (state) {
    case 'undone':
    case 'unusable':
      return (
        <div className="flex flex-col gap-5">
          <output className="flex flex-col gap-3">
            <p>{state === 'undone' ? words.done : words.unusable}</p>
            {stopped.length > 0 && <p>{words.stopped(namesOfPlans(stopped))}</p>}
          </output>
          {stopped.length > 0 ? plansLinks : links}
        </div>
      )
    case 'ready':
    case 'busy':
      return (
        <div className="flex flex-col gap-5">
          <p>{words.text}</p>
          <FormError sentence={refused} />
          <Button
            look="seal"
            wide
            busy={state === 'busy'}
            busyLabel={text.working}
            onClick={() => void undo()}
          >
            {leavingText.waiting.undo}
          </Button>
        </div>
      )
    default:
      return state satisfies never
  }
}
