// Which version of the declaration about a film a draft has. Pure.
import type { Draft, Media } from '#device/database/schema.ts'

/**
 * The version that the person declared for this file, if the draft sells it as an age-limited video; null otherwise. Another file needs another
 * declaration.
 * @param file the first file of the draft
 */
export function declaredVersion(
  { type, isAgeLimited, declaredFilm }: Pick<Draft, 'type' | 'isAgeLimited' | 'declaredFilm'>,
  file: Pick<Media, 'id' | 'kind'> | undefined,
): number | null {
  const isSold = type !== 1 && isAgeLimited && file?.kind === 'video'
  return isSold && declaredFilm?.mediaId === file.id ? declaredFilm.version : null
}
