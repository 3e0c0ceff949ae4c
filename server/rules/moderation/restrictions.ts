// Which measures a decision may have, and about whom staff may decide. Pure.
import type { Role } from '#contract/administration/role-names.ts'
import {
  contentMeasuresOf,
  type ContentMeasure,
  type MeasureKind,
  type PersonMeasure,
  timedMeasures,
} from '#contract/moderation/measures.ts'
import type { ReportKind } from '#contract/posts/reports.ts'
import type { FieldCode } from '#contract/errors.ts'

const DAY = 24 * 3600_000

export interface WantedMeasures {
  readonly content: ContentMeasure | null
  readonly person: PersonMeasure | null
  readonly days: number | null
}

export interface PlannedMeasure {
  readonly kind: MeasureKind
  readonly about: 'content' | 'person'
  /** Null without an end. */
  readonly until: Date | null
}

export type Plan =
  | { readonly is: 'measures'; readonly measures: readonly PlannedMeasure[] }
  | { readonly is: 'invalid'; readonly fields: Readonly<Record<string, FieldCode>> }

/**
 * The measures of a decision about one kind of content.
 * @param hasOwner whether the account of the author exists
 */
export function planOf(kind: ReportKind, hasOwner: boolean, wanted: WantedMeasures, now: number): Plan {
  const { content, person, days } = wanted
  if (content === null && person === null) return { is: 'invalid', fields: { content: 'required' } }
  if (content !== null && !contentMeasuresOf[kind].includes(content))
    return { is: 'invalid', fields: { content: 'unsupported' } }
  if (person !== null && !hasOwner) return { is: 'invalid', fields: { person: 'unknown_person' } }
  const isTimed = timedMeasures.some((it) => it === person)
  if (days !== null && !isTimed) return { is: 'invalid', fields: { days: 'unsupported' } }
  const until = days === null ? null : new Date(now + days * DAY)
  return {
    is: 'measures',
    measures: [
      ...(content === null ? [] : [{ kind: content, about: 'content', until: null } as const]),
      ...(person === null ? [] : [{ kind: person, about: 'person', until } as const]),
    ],
  }
}

/** Whether staff of a role may take a measure about the account of a person: other staff are for admins. */
export const mayMeasure = (by: Role, about: Role): boolean => about === 'member' || by === 'admin'

/** Who works on a case at a moment. */
export function holderOf(
  { takenBy, takenUntil }: { readonly takenBy: string | null; readonly takenUntil: Date | null },
  now: number,
): string | null {
  return takenUntil !== null && takenUntil.getTime() > now ? takenBy : null
}
