// The rows of the CSV file of members.
import type { ReplyOf } from '#contract/endpoint.ts'
import { searchMembers } from '#contract/plans/members.ts'
import { call } from '#src/domain/api/api.ts'
import { isoDay } from '#src/lib/format.ts'
import { type MemberFilter, queryOf } from './creator.ts'
import { memberText } from './text.ts'

export type ListedMember = ReplyOf<typeof searchMembers>['members'][number]

export function rowsOf(members: readonly ListedMember[]): string[][] {
  const rows = members.map(({ person, plan, joined_at: at }) => [
    person.name,
    person.handle ?? '',
    plan.name,
    isoDay(Date.parse(at)),
  ])
  return [[...memberText.csv.head], ...rows]
}

/**
 * Reads every page of the filtered list. The device makes the file, since the words of the cells are those of the screen.
 * @throws ApiFailure
 */
export async function readAll(filter: MemberFilter): Promise<ListedMember[]> {
  const all: ListedMember[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...queryOf(filter), ...(cursor !== undefined && { cursor }) }
    const page = await call(searchMembers, { query })
    all.push(...page.members)
    cursor = page.next
  }
  return all
}
