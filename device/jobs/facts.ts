// The facts a job begins with.
import type { JobFacts, Media, MediaFacts, Protocol } from '#device/database/schema.ts'

type Picked = Pick<Media, 'id' | 'size' | 'kind'>

/** The facts of a job of which nothing was sent yet. */
export function newFacts(media: readonly Picked[], protocol: Protocol): JobFacts {
  const addFirst = protocol === 'chunked'
  return {
    kind: 'post',
    early: false,
    addFirst,
    media: media.map((it) => ({ ...newFile(it), inside: addFirst && it.kind === 'image' })),
    addTried: false,
    post: null,
    ending: { is: 'open' },
    attempts: 0,
    wait: { until: 0, told: false },
  }
}

/** The facts of an identity check of which nothing was sent yet. */
export function checkFacts(media: readonly Picked[]): JobFacts {
  return { ...newFacts(media, 'tus'), kind: 'identity' }
}

function newFile({ id, size }: Picked): MediaFacts {
  return {
    id,
    size,
    acked: 0,
    begun: false,
    url: null,
    done: false,
    paused: false,
    inside: false,
    resends: { digest: 0, gone: 0 },
    discard: false,
    failed: null,
    dropped: false,
  }
}

/**
 * The facts of files that go up while their post is being written.
 * @param before what went up already; files new among `media` are added to it
 */
export function earlyFacts(before: JobFacts | undefined, media: readonly Picked[]): JobFacts {
  const facts = before ?? { ...newFacts([], 'tus'), early: true }
  const added = media.filter((it) => !facts.media.some((known) => known.id === it.id))
  if (added.length === 0) return facts
  return { ...facts, media: [...facts.media, ...added.map(newFile)], ending: { is: 'open' } }
}

/** A file was taken out of a draft that is being written: the server is to forget it. */
export function withoutFile(facts: JobFacts, mediaId: string): JobFacts {
  // Whether it is there already is not known for certain: its creation may be under way.
  const media = facts.media.map((it) => (it.id === mediaId ? { ...it, dropped: true, discard: true } : it))
  return { ...facts, media, ending: { is: 'open' } }
}

/** A draft was discarded: the server is to forget all of its files. */
export function withoutDraft(facts: JobFacts): JobFacts {
  const media = facts.media.map((it) => ({ ...it, discard: true }))
  return { ...facts, media, ending: { is: 'cancelled' }, attempts: 0, wait: { until: 0, told: false } }
}

/**
 * The facts of a job at its submission: what went up early counts, and what failed then is tried anew.
 * @param early what went up while it was written, if anything
 * @param media the post's files in their order
 */
export function submittedFacts(
  early: JobFacts | undefined,
  media: readonly Picked[],
  protocol: Protocol,
): JobFacts {
  const facts = newFacts(media, protocol)
  if (!early || facts.addFirst) return facts
  const resends = { digest: 0, gone: 0 }
  const sent = facts.media.map((it) => {
    const known = early.media.find((other) => other.id === it.id && !other.dropped)
    return known ? { ...known, paused: false, failed: null, resends } : it
  })
  const leftovers = early.media.filter((it) => it.dropped)
  return { ...facts, media: [...sent, ...leftovers], wait: early.wait.told ? early.wait : facts.wait }
}
