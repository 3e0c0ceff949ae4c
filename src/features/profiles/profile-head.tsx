// ProfileHead: cover, face, name, words and numbers of one person.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '#src/ui/avatar.tsx'
import { Prose } from '#src/ui/prose.tsx'
import { profileQuery } from './profiles.ts'
import { text } from '#src/lib/text.ts'

export function ProfileHead({ id }: { id: string }) {
  const { data: person } = useSuspenseQuery(profileQuery(id))
  return (
    <section aria-labelledby="person" className="border-b border-line">
      <Cover src={person.cover_url} />
      <div className="px-4 pb-5 rail:px-6">
        <Avatar
          name={person.name}
          src={person.avatar_url}
          size={88}
          className="relative -mt-11 box-content border-4 border-paper"
        />
        <h1 id="person" className="mt-2 text-xl font-semibold">
          {person.name}
        </h1>
        {person.bio.trim() !== '' && <Prose text={person.bio} className="mt-2" />}
        <dl className="mt-3 flex gap-5">
          <div className="flex items-baseline gap-1.5">
            <dd className="text-lg font-semibold tabular-nums">{text.profile.count(person.post_count)}</dd>
            <dt className="order-last text-sm text-soft">{text.profile.posts}</dt>
          </div>
        </dl>
      </div>
    </section>
  )
}

function Cover({ src }: { src: string | null }) {
  const [failed, setFailed] = useState(false)
  return (
    <div className="aspect-3/1 w-full overflow-hidden bg-sunk">
      {src !== null && !failed && (
        <img
          src={src}
          alt=""
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      )}
    </div>
  )
}
