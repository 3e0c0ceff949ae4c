// MessageLink: an icon of a list's row that leads to the conversation with its person.
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { peopleText } from './text.ts'

/** Above the link that covers the row. */
export function MessageLink({ person }: { person: { readonly id: string; readonly name: string } }) {
  const label = peopleText.messageTo(person.name)
  return (
    <Link
      to="/chat-messages/$id"
      params={{ id: person.id }}
      search={{}}
      aria-label={label}
      title={label}
      className="relative z-1 grid size-11 shrink-0 place-items-center rounded-pill text-soft hover:bg-raised hover:text-ink"
    >
      <Mail aria-hidden size={20} />
    </Link>
  )
}
