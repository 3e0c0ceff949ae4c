// FollowButton: follows at one press; ending it is asked first.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RelationView } from '#contract/people.ts'
import { setFollowing } from '#src/lib/person-acts.ts'
import { text } from '#src/lib/text.ts'
import { peopleText as words } from '#src/lib/text-people.ts'
import { AlertDialog } from '#src/ui/alert-dialog.tsx'
import { Button, type ButtonSize } from '#src/ui/button.tsx'
import { sayNotDone } from './profiles.ts'

interface FollowButtonProps {
  person: { id: string; name: string; relation: RelationView | null }
  size?: ButtonSize
}

/** Nothing for oneself, and nothing across a block. */
export function FollowButton({ person, size = 'small' }: FollowButtonProps) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { id, name, relation } = person
  if (!relation || relation.blocked) return null
  const set = (on: boolean) => void setFollowing(client, id, on).catch(sayNotDone)
  return (
    <>
      {relation.following ? (
        <Button look="quiet" size={size} aria-label={words.unfollowOf(name)} onClick={() => setAsking(true)}>
          {words.following}
        </Button>
      ) : (
        <Button look="ink" size={size} aria-label={words.followOf(name)} onClick={() => set(true)}>
          {relation.followed_by ? words.followBack : words.follow}
        </Button>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={words.unfollowAsk(name)}
        description={words.unfollowWhat}
        cancel={text.cancel}
        act={{
          label: words.unfollow,
          danger: true,
          onSelect: () => {
            setAsking(false)
            set(false)
          },
        }}
      />
    </>
  )
}
