// The columns of a media row that its view needs, as JSON inside a statement.
import { type SQL, sql } from 'drizzle-orm'
import type { MediaRow } from './media.ts'

export type MediaFacts = Pick<
  MediaRow,
  'id' | 'kind' | 'state' | 'failure' | 'width' | 'height' | 'duration' | 'made'
>

const columns = ['id', 'kind', 'state', 'failure', 'width', 'height', 'duration', 'made'] as const

/** Arguments of `json_build_object`. @param alias of the table `media` in the statement */
export const mediaFields = (alias: string): SQL =>
  sql.raw(columns.map((name) => `'${name}', ${alias}.${name}`).join(', '))
