// ProfileHead: pictures, name, text, links, counts and actions of a person.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn, Link2, Mail } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ProfileView } from '#contract/people/people.ts'
import type { OpenPicture } from '#contract/posts/media.ts'
import type { ListedPerson } from '#src/domain/offline/listed.ts'
import { useMember } from '#src/domain/session/session.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'
import { usePlaceholder } from '#src/domain/media/placeholder.ts'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { FollowButton } from './follow-button.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { profileQuery } from './profiles.ts'

export function ProfileHead({ id }: { id: string }) {
  const { data: person } = useSuspenseQuery(profileQuery(id))
  return (
    <Head person={person} cover={person.cover} actions={<Actions person={person} />}>
      {person.relation?.blocked !== true && <Details person={person} />}
    </Head>
  )
}

/** The head of a person from a list, while the profile is not loaded. */
export function ListedHead({ person, children }: { person: ListedPerson; children: ReactNode }) {
  const { relation = null, bio = '' } = person
  return (
    <Head person={person} cover={null} actions={<FollowButton person={{ ...person, relation }} />}>
      {bio.trim() !== '' && <RichText text={bio} className="mt-2 text-read" />}
      {children}
    </Head>
  )
}

interface HeadProps {
  person: ListedPerson
  cover: OpenPicture | null
  actions: ReactNode
  children: ReactNode
}

function Head({ person, cover, actions, children }: HeadProps) {
  return (
    <section aria-labelledby="person" className="border-b border-line">
      <Cover key={cover?.sources.at(-1)?.src} cover={cover} />
      <div className="px-4 pb-5 rail:px-6">
        <div className="flex items-end justify-between gap-3">
          <Avatar
            name={person.name}
            src={person.avatar_url}
            size={88}
            className="relative -mt-11 box-content border-4 border-paper"
          />
          {actions}
        </div>
        <h1 id="person" dir="auto" className="mt-2 text-xl font-semibold break-words">
          {person.name}
        </h1>
        <p className="flex flex-wrap items-center gap-x-2 text-soft empty:hidden">
          {person.handle !== null && <span className="break-all">@{person.handle}</span>}
          {person.relation?.followed_by && <Badge>{words.followsYou}</Badge>}
        </p>
        {children}
      </div>
    </section>
  )
}

function Actions({ person }: { person: ProfileView }) {
  const isOwn = useMember()?.id === person.id
  return (
    <div className="flex items-center gap-2">
      <ProfileMenu person={person} />
      {isOwn ? (
        <Link to="/profile/edit" className={buttonClass('quiet', 'small')}>
          {words.edit}
        </Link>
      ) : (
        <>
          {person.relation?.blocked === false && <MessageLink person={person} />}
          <FollowButton person={person} />
        </>
      )}
    </div>
  )
}

function MessageLink({ person }: { person: ProfileView }) {
  const label = words.messageTo(person.name)
  return (
    <Link
      to="/chat-messages/$id"
      params={{ id: person.id }}
      search={{}}
      aria-label={label}
      title={label}
      className="grid size-11 shrink-0 place-items-center rounded-pill border border-edge hover:bg-sunk"
    >
      <Mail aria-hidden size={20} />
    </Link>
  )
}

function Details({ person }: { person: ProfileView }) {
  return (
    <>
      {person.bio.trim() !== '' && (
        <RichText text={person.bio} mentions={person.mentions} className="mt-2 text-read" />
      )}
      {person.links.length > 0 && (
        <ul aria-label={words.links} className="mt-2 flex flex-wrap gap-x-4">
          {person.links.map((link) => (
            <li key={link} className="max-w-full">
              <a
                href={link}
                target="_blank"
                rel="noopener noreferrer nofollow ugc"
                className="inline-flex min-h-8 max-w-full items-center gap-1.5 text-info-text underline underline-offset-3"
              >
                <Link2 aria-hidden size={16} className="shrink-0" />
                <span className="truncate">{shortened(link)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Numbers person={person} />
      <CreatorLink person={person} />
    </>
  )
}

function CreatorLink({ person }: { person: ProfileView }) {
  if (useMember()?.id !== person.id) return null
  return (
    <Link
      to="/creator"
      search={{}}
      className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-field px-1 text-sm font-semibold hover:bg-sunk"
    >
      <ChartColumn aria-hidden size={18} />
      {words.creatorPage}
    </Link>
  )
}

/** A URL without its protocol and `www`. */
const shortened = (link: string) => link.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '')

const number = 'inline-flex min-h-11 items-baseline gap-1.5 pt-2'

function Numbers({ person }: { person: ProfileView }) {
  const lists = [
    ['following', person.following_count],
    ['followers', person.follower_count],
  ] as const
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5">
      <li className={number}>
        <Count of={person.post_count} label={words.posts} />
      </li>
      {lists.map(([list, count]) => (
        <li key={list}>
          <Link
            to="/profile/follow"
            search={{ uid: person.id, list }}
            className={`${number} underline-offset-4 hover:underline`}
          >
            <Count of={count} label={words.lists[list]} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Count({ of, label }: { of: number; label: string }) {
  return (
    <>
      <span className="text-lg font-semibold tabular-nums">{words.count(of)}</span>
      <span className="text-sm text-soft">{label}</span>
    </>
  )
}

function Cover({ cover }: { cover: OpenPicture | null }) {
  const [is, setIs] = useState<'awaited' | 'there' | 'failed'>('awaited')
  const placeholder = usePlaceholder(cover?.placeholder, 'cover', is !== 'there')
  const sources = cover?.sources ?? []
  return (
    <div className="aspect-3/1 w-full overflow-hidden bg-sunk">
      {sources.length > 0 && is !== 'failed' && (
        <img
          src={sources.at(-1)?.src}
          srcSet={sources.map((it) => `${it.src} ${it.width}w`).join(', ')}
          sizes="(min-width: 640px) 640px, 100vw"
          alt=""
          decoding="async"
          onLoad={() => setIs('there')}
          onError={() => setIs('failed')}
          style={placeholder}
          className="size-full object-cover"
        />
      )}
      {is === 'failed' && (
        <span className="grid size-full place-items-center text-sm text-soft">
          <img alt={text.posts.brokenMedia} />
        </span>
      )}
    </div>
  )
}
