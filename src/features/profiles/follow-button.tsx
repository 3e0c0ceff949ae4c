// FollowButton: follows at one press; unfollowing asks for confirmation.
import { Clock } from 'lucide-react'
import { useState } from 'react'
import type { RelationView } from '#contract/people/people.ts'
import { useOptimisticToggle } from '#src/domain/mutations/optimistic-toggle.ts'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button, type ButtonSize } from '#src/ui/button.tsx'

interface FollowButtonProps {
  person: { id: string; name: string; relation: RelationView | null }
  size?: ButtonSize
}

/** Renders nothing for the own account and for a blocked person. */
export function FollowButton({ person, size = 'small' }: FollowButtonProps) {
  const { id, name, relation } = person
  const params = { user_id: id }
  const following = useOptimisticToggle(
    { on: { name: 'follow', params }, off: { name: 'unfollow', params } },
    name,
    relation?.following ?? false,
  )
  const [confirming, setConfirming] = useState(false)
  if (!relation || relation.blocked) return null
  const waits = following.waits && {
    icon: <Clock aria-hidden size={14} />,
    title: mutationsText.waits[following.waits],
  }
  return (
    <>
      {following.on ? (
        <Button
          look="quiet"
          size={size}
          aria-label={words.unfollowOf(name)}
          onClick={() => setConfirming(true)}
          {...waits}
        >
          {words.following}
        </Button>
      ) : (
        <Button
          look="ink"
          size={size}
          aria-label={relation.followed_by ? words.followBackOf(name) : words.followOf(name)}
          onClick={() => following.set(true)}
          {...waits}
        >
          {relation.followed_by ? words.followBack : words.follow}
        </Button>
      )}
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.unfollowAsk(name)}
        description={words.unfollowWhat}
        cancel={text.cancel}
        action={{
          label: words.unfollow,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            following.set(false)
          },
        }}
      />
    </>
  )
}
