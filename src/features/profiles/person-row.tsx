// PersonRow: one person of a list, linked to their profile, with a follow button.
import { Link } from '@tanstack/react-router'
import type { ListedPerson } from '#contract/people/people.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { FollowButton } from './follow-button.tsx'

export function PersonRow({ person }: { person: ListedPerson }) {
  return (
    <li className="relative flex min-h-18 items-start gap-3 border-b border-line px-4 py-3 hover:bg-sunk rail:px-6">
      <Avatar name={person.name} src={person.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <Link
          to="/profile/$id"
          params={{ id: person.id }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {person.name}
        </Link>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          {person.handle !== null && <span className="break-all">@{person.handle}</span>}
          {person.relation?.followed_by && <Badge>{words.followsYou}</Badge>}
        </p>
        {person.bio !== '' && (
          <p dir="auto" className="mt-0.5 line-clamp-2 text-sm break-words">
            {person.bio}
          </p>
        )}
      </div>
      <div className="relative z-1">
        <FollowButton person={person} />
      </div>
    </li>
  )
}
