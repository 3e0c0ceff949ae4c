// IdentityNote: states that plan and priced posts require an identity check, with a link.
import { Link } from '@tanstack/react-router'
import { useMember } from '#src/domain/session/session.ts'
import { identityNoteText as words } from '#src/domain/posts/audience-text.ts'

/** Shown for a plan or price if the person has no approved check; also without network. */
export function IdentityNote() {
  const me = useMember()
  if (me?.identified !== false) return null
  return (
    <div role="note" className="mt-4 rounded-field bg-sunk px-4 py-3 text-sm">
      <p>{words.wanted}</p>
      <Link
        to="/user/verification"
        className="mt-1 inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        {words.toVerification}
      </Link>
    </div>
  )
}
