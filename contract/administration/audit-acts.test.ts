// Details of audit entries have ids, numbers, days and closed names, and nothing else.
import { describe, expect, test } from 'vitest'
import type { GenericSchema } from 'valibot'
import { auditActs, type AuditAct, auditSubjects } from './audit-names.ts'
import { newId } from '#contract/ids.ts'
import { acts, type AuditEntry, detailOf } from './audit-acts.ts'
import { detailValues } from './audit-values.ts'

interface Inspected {
  readonly type: string
  readonly entries?: Readonly<Record<string, Inspected>>
  readonly item?: Inspected
  readonly wrapped?: Inspected
}

/** The fields of a schema that may have any text, or anything else that is not listed. */
function openFields(schema: Inspected, path: string): string[] {
  if ((Object.values(detailValues) as unknown[]).includes(schema)) return []
  switch (schema.type) {
    case 'strict_object':
      return Object.entries({ ...schema.entries }).flatMap(([key, it]) => openFields(it, `${path}.${key}`))
    case 'array':
      return schema.item ? openFields(schema.item, `${path}[]`) : [path]
    case 'optional':
    case 'nullable':
      return schema.wrapped ? openFields(schema.wrapped, path) : [path]
    case 'picklist':
    case 'literal':
      return []
    default:
      return [path]
  }
}

const inspected = (schema: GenericSchema<object>) => schema as unknown as Inspected

describe('the detail of each act', () => {
  test.each(auditActs)('%s has ids, numbers, days, flags and names of closed lists', (act) => {
    expect(openFields(inspected(acts[act].detail), act)).toEqual([])
    expect(inspected(acts[act].detail).type).toBe('strict_object')
  })

  test('is refused with a text, with a field that the act does not have, and without one', () => {
    const by = { actorId: newId(), subjectId: newId(), ip: '' }
    const entry = (act: AuditAct, detail?: object) =>
      ({ ...by, act, subjectKind: 'user', detail }) as AuditEntry
    for (const wrong of [
      entry('reserved_names.read', { people: ['花子'] }),
      entry('payout.hold', { number: 1, reason: '口座名義が違うため' }),
      entry('role.set', { role: 'owner', by: 'ADMIN_EMAILS' }),
      entry('reconcile', { listed: 1, applied: 0 }),
      entry('fee_rate'),
    ])
      expect(() => detailOf(wrong)).toThrow('Invalid')
    expect(detailOf(entry('identity.approve'))).toEqual({})
    const people = [newId()]
    expect(detailOf(entry('reserved_names.read', { people }))).toEqual({ people })
  })
})

test('names are listed once, in their order', () => {
  for (const names of [auditActs, auditSubjects]) expect([...new Set(names)].toSorted()).toEqual([...names])
  const used = new Set(auditActs.flatMap((it) => acts[it].subjects as readonly string[]))
  expect([...used].toSorted()).toEqual([...auditSubjects])
})
