// Merges two versions of a draft that were made from the same one. Pure.
import type { Draft } from '#device/database/schema.ts'

/** What a person writes or sets in the editor, without the files. */
const formFields = [
  'content',
  'title',
  'introduction',
  'type',
  'planIds',
  'price',
  'isAgeLimited',
  'commentsClosed',
  'declaredFilm',
  'keepSize',
] as const
const fileFields = ['mediaIds', 'thumbnailId', 'frameId'] as const
export type DraftForm = Pick<Draft, (typeof formFields)[number]>
type Field = (typeof formFields)[number] | (typeof fileFields)[number]

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The form of a draft, without its other fields. */
export function formOf(draft: DraftForm): DraftForm {
  const { content, title, introduction, type, planIds, price } = draft
  const { isAgeLimited, commentsClosed, declaredFilm, keepSize } = draft
  const texts = { content, title, introduction }
  return { ...texts, type, planIds, price, isAgeLimited, commentsClosed, declaredFilm, keepSize }
}

/** All that a person wrote of a post, each text on lines of its own; '' for nothing that can be seen. */
export const writtenText = (texts: Pick<Draft, 'title' | 'introduction' | 'content'>): string =>
  [texts.title, texts.introduction, texts.content].filter((it) => it.trim() !== '').join('\n')

/** Whether two versions have the same texts and settings. */
export const sameForm = (a: DraftForm, b: DraftForm): boolean =>
  formFields.every((field) => equal(a[field], b[field]))

/** Whether two versions would become the same post. */
export const samePost = (a: Draft, b: Draft): boolean =>
  [...formFields, ...fileFields].every((field: Field) => equal(a[field], b[field]))

/**
 * Merges into `stored` the form fields that `shown` changed since `base`.
 * @returns `undefined` where both changed one field to different values
 */
export function mergeForm(base: DraftForm, shown: DraftForm, stored: Draft): Draft | undefined {
  const changed = formFields.filter((field) => !equal(shown[field], base[field]))
  const conflicts = changed.some(
    (field) => !equal(stored[field], base[field]) && !equal(stored[field], shown[field]),
  )
  if (conflicts) return undefined
  return { ...stored, ...Object.fromEntries(changed.map((field) => [field, shown[field]])) }
}
