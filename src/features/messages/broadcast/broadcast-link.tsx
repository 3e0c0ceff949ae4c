// BroadcastLink: leads creators with a plan to their broadcasts.
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useHasPlans } from '#src/domain/plans/own.ts'
import { broadcastText as words } from './text.ts'

/** @param mayHavePlans whether the person has an approved identity check */
export function BroadcastLink({ mayHavePlans }: { mayHavePlans: boolean }) {
  if (!useHasPlans(mayHavePlans)) return null
  return (
    <Link
      to="/chat-messages/broadcast"
      search={{}}
      aria-label={words.begin}
      title={words.begin}
      className="grid size-11 place-items-center rounded-pill text-soft hover:bg-sunk hover:text-ink"
    >
      <Megaphone aria-hidden size={22} />
    </Link>
  )
}
