// Names of files in a data export, safe to unpack on every system.

/** Longest name, characters; with a number it is still below the limits of file systems. */
const MAX_NAME = 80
/** Most of a name that is read, UTF-16 units: normalising may take quadratic time. */
const MAX_GIVEN = 2000

/**
 * A file name that is one path segment on every system.
 * @param given as uploaded; may be anything
 * @param otherwise used if no character of the name is valid
 */
export function safeName(given: string, otherwise: string): string {
  const plain = withoutEdges(
    given
      .slice(0, MAX_GIVEN)
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_'),
  )
  if (plain === '') return otherwise
  const characters = [...new Intl.Segmenter('ja').segment(plain)].map((it) => it.segment)
  if (characters.length <= MAX_NAME) return plain
  // Without a dot the index is -1, and the distance more than 10.
  const dot = characters.lastIndexOf('.')
  const extension = characters.length - dot <= 10 ? characters.slice(dot) : []
  return [...characters.slice(0, MAX_NAME - extension.length), ...extension].join('')
}

/** The name without dots and spaces at both ends, which some systems remove or hide. */
function withoutEdges(name: string): string {
  const edge = /[.\s]/
  let [start, end] = [0, name.length]
  while (edge.test(name[start] ?? '')) start += 1
  while (end > start && edge.test(name[end - 1] ?? '')) end -= 1
  return name.slice(start, end)
}

/**
 * The folder of a post's files: its date in Tokyo and its id.
 * @param createdAt when the post was made
 * @param id of the post
 */
export function postFolder(createdAt: Date, id: string): string {
  return `media/${dayOf(createdAt)}_${id}`
}

/**
 * The folder of a message's files: its date in Tokyo and its id.
 * @param sentAt when the message was sent
 * @param id of the message
 */
export function messageFolder(sentAt: Date, id: string): string {
  return `media/messages/${dayOf(sentAt)}_${id}`
}

const dayOf = (at: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(at)
